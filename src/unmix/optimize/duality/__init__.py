"""Dual decomposition: parts that share a resource, solved apart under its price."""
