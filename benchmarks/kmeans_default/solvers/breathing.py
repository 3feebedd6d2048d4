"""bkmeans.BKMeans, breathing K-means: the peer with the best quality."""

import numpy as np

requires = ["bkmeans"]


def solve(X: np.ndarray, k: int, seed: int, threads: int) -> np.ndarray:
    from bkmeans import BKMeans

    return BKMeans(n_clusters=k, random_state=seed).fit(X).cluster_centers_
