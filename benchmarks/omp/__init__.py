"""Orthogonal matching pursuit: codes with 10 non-zeros of 10 000 signals in 512 atoms."""
