"""Roles by attributes: how pure roles are with and without them at the same number, and with attributes that are noise."""
