"""The same with swap moves, as KMeans comes but for the one start."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, k: int, seed: int, threads: int) -> np.ndarray:
    import unmix
    from unmix.cluster import KMeans

    with unmix.execution(threads=threads):
        return KMeans(k, n_init=1, random_state=seed).fit(X).cluster_centers_
