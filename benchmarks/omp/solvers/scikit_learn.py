"""sklearn.decomposition.sparse_encode."""

from typing import Any

import numpy as np

requires = ["sklearn"]


def solve(X: np.ndarray, U: np.ndarray, s: int, seed: int, threads: int) -> Any:
    from sklearn.decomposition import sparse_encode

    return sparse_encode(X, U, algorithm="omp", n_nonzero_coefs=s, n_jobs=threads)
