"""Rows drawn from a table by their weight, and the order in which a rule that learns online is shown them."""
