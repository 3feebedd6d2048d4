"""unmix.cluster.KMeans: k-means++, one start, refined as it always is, by Lloyd's iteration and swaps."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, k: int, seed: int, threads: int, n_init: int = 1) -> np.ndarray:
    import unmix
    from unmix.cluster import KMeans

    with unmix.execution(threads=threads):
        return KMeans(k, n_init=n_init, random_state=seed).fit(X).cluster_centers_
