"""sklearnex.cluster.KMeans, scikit-learn's API over oneDAL."""

import numpy as np

requires = ["sklearnex"]


def solve(X: np.ndarray, k: int, seed: int, threads: int, n_init: int = 1) -> np.ndarray:
    from daal4py import daalinit
    from sklearnex.cluster import KMeans

    daalinit(threads)
    return KMeans(k, n_init=n_init, random_state=seed).fit(X).cluster_centers_
