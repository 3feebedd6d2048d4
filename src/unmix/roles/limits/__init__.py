"""Roles under limits on their number, size and combinations."""
