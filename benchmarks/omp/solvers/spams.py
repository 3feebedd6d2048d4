"""spams.omp."""

from typing import Any

import numpy as np

requires = ["spams"]


def solve(X: np.ndarray, U: np.ndarray, s: int, seed: int, threads: int) -> Any:
    import spams

    return spams.omp(np.asfortranarray(X.T), np.asfortranarray(U.T), L=s, eps=0.0, numThreads=threads).T.tocsr()
