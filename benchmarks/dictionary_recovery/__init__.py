"""Planted atoms found by dictionary learning, at 10 to 30 dB and without noise."""
