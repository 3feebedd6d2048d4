"""Whole factorizations: of a table, of a stream of rows, with free components; and codes for new rows."""
