"""A loop over sklearnex.cluster.KMeans, ten restarts for each K."""

import numpy as np

from benchmarks.kmeans.solvers import intelex as one_k

requires = one_k.requires


def solve(X: np.ndarray, ks: range, seed: int, threads: int) -> list[np.ndarray]:
    return [one_k.solve(X, k, seed, threads, n_init=10) for k in ks]
