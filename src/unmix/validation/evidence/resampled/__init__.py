"""Whether a model fitted to other rows gives the same labels."""
