"""Columns brought to one scale before anything is squared."""
