"""Algorithms that factor a table, X ≈ Z U: starts, Lloyd passes and swaps, spectra."""
