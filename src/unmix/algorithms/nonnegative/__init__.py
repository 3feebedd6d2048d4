"""Factors that may not be negative: X ≈ Z U with Z ≥ 0, and U ≥ 0 or free."""
