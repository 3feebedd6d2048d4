"""Maximum likelihood unmixing with the logistic density, to a given gradient norm."""
