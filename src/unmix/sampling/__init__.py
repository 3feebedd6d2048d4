"""Chance on finite sets: chains, what they converge to, and how fast."""
