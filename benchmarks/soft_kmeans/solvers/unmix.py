"""unmix.cluster.SoftKMeans, the whole annealing path."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, k: int, seed: int, threads: int) -> np.ndarray:
    import unmix
    from unmix.cluster import SoftKMeans

    with unmix.execution(threads=threads):
        return SoftKMeans(k, random_state=seed).fit(X).cluster_centers_
