"""Independent components of 20 mixed sources, each method to its own default tolerance."""
