"""Examples of generalized low rank models rebuilt: losses by kind of column against PCA of the same numbers."""
