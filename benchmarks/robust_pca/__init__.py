"""Robust PCA: low rank plus sparse by principal component pursuit."""
