"""Compiled moves of single objects between clusters, one cost a file."""
