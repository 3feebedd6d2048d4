"""sklearn.neighbors.KernelDensity, which has one thread."""

import numpy as np

requires = ["sklearn"]


def solve(X: np.ndarray, queries: np.ndarray, bandwidth: float, seed: int, threads: int) -> np.ndarray:
    from sklearn.neighbors import KernelDensity

    return KernelDensity(bandwidth=bandwidth, rtol=1e-4).fit(X).score_samples(queries)
