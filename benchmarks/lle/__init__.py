"""Locally linear embedding: a swiss roll laid flat from twelve neighbours a row."""
