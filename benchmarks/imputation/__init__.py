"""Holes of real mixed tables filled by every imputer, and by how much each is wrong."""
