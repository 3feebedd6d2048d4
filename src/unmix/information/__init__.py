"""Entropy, divergence and what is measured with them."""
