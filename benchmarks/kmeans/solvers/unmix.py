"""unmix.cluster.KMeans: k-means++, one start, no swaps, until the centres rest, as scikit-learn does."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, k: int, seed: int, threads: int, max_iter: int = 300) -> np.ndarray:
    import unmix
    from unmix.cluster import KMeans

    with unmix.execution(threads=threads):
        return KMeans(k, n_init=1, swaps=0, max_iter=max_iter, random_state=seed).fit(X).cluster_centers_
