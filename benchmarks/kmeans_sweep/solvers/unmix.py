"""unmix.cluster.KMeans, ten restarts for each K."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, ks: range, seed: int, threads: int) -> list[np.ndarray]:
    import unmix
    from unmix.cluster import KMeans

    with unmix.execution(threads=threads):
        return [KMeans(k, n_init=10, swaps=0, random_state=seed).fit(X).cluster_centers_ for k in ks]
