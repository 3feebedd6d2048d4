"""Neighbourhoods in the data and on a map, compared point by point."""
