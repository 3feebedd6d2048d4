"""Iterations that can be watched, stopped, saved and resumed."""
