"""Rows of files too large for memory, read block by block."""
