"""Gives new rows the groups of a table that was explored, and says where they are unlike it."""
