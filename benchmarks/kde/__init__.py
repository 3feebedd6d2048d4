"""Kernel density of given width: log-densities of new rows, relative accuracy 1e-4 asked for."""
