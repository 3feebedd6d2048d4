"""K-means on two Dask worker processes against local threads: the same bits, and how much time."""
