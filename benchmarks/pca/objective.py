"""objective: share of the variance left out by the components (lower is better)"""

import numpy as np


def evaluate(result: np.ndarray, X: np.ndarray, k: int) -> float:
    """1 - captured ÷ total in float64, after making the given components exactly orthonormal."""
    assert result.shape == (k, X.shape[1])
    basis = np.linalg.qr(result.astype(np.float64).T)[0]
    mean = X.mean(axis=0, dtype=np.float64)
    captured = total = 0.0
    for start in range(0, len(X), 20_000):
        centred = X[start : start + 20_000].astype(np.float64) - mean
        captured += np.square(centred @ basis).sum()
        total += np.square(centred).sum()
    return 1 - captured / total
