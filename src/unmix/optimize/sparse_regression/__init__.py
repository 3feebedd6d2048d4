"""Sparse solutions of linear equations, exact or penalized, with a certificate."""
