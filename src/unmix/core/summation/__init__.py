"""Sums whose bits depend on the data alone: one fixed tree, or no rounding at all."""
