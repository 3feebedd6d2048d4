"""Roles that may deviate from the data: the fewest roles within δ errors, or the fewest errors with K roles."""
