"""spams.nmf, online dictionary learning with non-negative codes, one minute at most."""

from typing import Any

import numpy as np

requires = ["spams"]


def unable(X: Any, **rest: Any) -> str:
    return "it takes dense tables only" if hasattr(X, "tocsr") else ""


def solve(
    X: Any, k: int, target: float, multiplicative: float, seed: int, threads: int
) -> tuple[np.ndarray, np.ndarray]:
    import spams

    U, Z = spams.nmf(np.asfortranarray(X.T), return_lasso=True, K=k, iter=-2, numThreads=threads)
    codes = Z.toarray() if hasattr(Z, "toarray") else np.asarray(Z)
    return np.maximum(codes.T, 0), np.maximum(np.asarray(U).T, 0)
