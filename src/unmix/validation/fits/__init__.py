"""The fits that evidence is drawn from: models again on other rows, small stand-ins, the model of no structure."""
