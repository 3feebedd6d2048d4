"""Posterior agreement: the bits on which two samples of the same objects agree."""
