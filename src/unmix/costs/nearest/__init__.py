"""The nearest centre of every row, by compiled kernels for dense and sparse tables."""
