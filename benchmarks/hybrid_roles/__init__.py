"""Roles by attributes: how pure they are with and without, at the same number, and with attributes that are noise."""
