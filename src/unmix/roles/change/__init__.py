"""Roles over time: which role became which, who came, moved and left, and mining that changes little."""
