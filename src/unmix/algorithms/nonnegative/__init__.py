"""Factors that may not be negative: X ≈ Z U with Z ≥ 0, and U ≥ 0 or free.

Here are the problem, the table and its starts, and the sweeps for squares; `divergences` holds the other losses, `fits`
whole factorizations.
"""
