"""unmix.cluster.kmeans_path with ten restarts for each K."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, ks: range, seed: int, threads: int) -> list[np.ndarray]:
    import unmix
    from unmix.cluster import kmeans_path

    with unmix.execution(threads=threads):
        return [model.cluster_centers_ for model in kmeans_path(X, ks, n_init=10, random_state=seed).models]
