"""sklearnex.cluster.KMeans with ten restarts."""

import numpy as np

requires = ["sklearnex"]


def solve(X: np.ndarray, k: int, seed: int, threads: int) -> np.ndarray:
    from daal4py import daalinit
    from sklearnex.cluster import KMeans

    daalinit(threads)
    return KMeans(k, n_init=10, random_state=seed).fit(X).cluster_centers_
