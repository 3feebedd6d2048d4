"""The start every solver is given: means at random rows, the covariance of all rows, equal weights."""

from typing import Any

import numpy as np


def with_start(X: np.ndarray, k: int, iterations: int = 30) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    covariance = np.cov(X, rowvar=False).astype(X.dtype)
    return {
        "X": X,
        "iterations": iterations,
        "weights": np.full(k, 1 / k, dtype=X.dtype),
        "means": X[rng.choice(len(X), k, replace=False)],
        "covariances": np.repeat(covariance[None], k, axis=0),
    }
