"""Rows that depend on each other: copies, neighbours along an order, and references that have the same dependence."""
