"""unmix.cluster.KMeans, one fit: what the path is measured by."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, k: int, seed: int, threads: int) -> np.ndarray:
    import unmix
    from unmix.cluster import KMeans

    with unmix.execution(threads=threads):
        return KMeans(k, random_state=seed).fit(X).cluster_centers_
