"""Roles from who-has-what."""
