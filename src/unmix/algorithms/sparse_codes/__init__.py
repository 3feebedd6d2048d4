"""Codes with few non-zeros in a given or learned dictionary: X ≈ Z U with sparse rows Z; atoms are the rows of U."""
