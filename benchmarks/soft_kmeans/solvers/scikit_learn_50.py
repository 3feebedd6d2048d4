"""sklearn.cluster.KMeans with fifty restarts."""

import numpy as np

requires = ["sklearn"]


def solve(X: np.ndarray, k: int, seed: int, threads: int) -> np.ndarray:
    from sklearn.cluster import KMeans

    return KMeans(k, n_init=50, random_state=seed).fit(X).cluster_centers_
