"""Dictionaries learned from rows: K-SVD, online learning, and swaps of atoms."""
