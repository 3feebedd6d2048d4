"""A loop over sklearnex.cluster.KMeans, ten restarts for each K."""

import numpy as np

requires = ["sklearnex"]


def solve(X: np.ndarray, ks: range, seed: int, threads: int) -> list[np.ndarray]:
    from daal4py import daalinit
    from sklearnex.cluster import KMeans

    daalinit(threads)
    return [KMeans(k, n_init=10, random_state=seed).fit(X).cluster_centers_ for k in ks]
