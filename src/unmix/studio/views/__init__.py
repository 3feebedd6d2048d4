"""Addresses of the roles workspace and of the signals workspace."""
