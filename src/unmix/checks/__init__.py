"""Checks that a part keeps its contract, for the parts of unmix and for those of others."""
