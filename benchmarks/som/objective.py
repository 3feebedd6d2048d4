"""objective: quantization error, the mean distance of a row to its nearest node (lower is better)"""

from typing import Any

import numpy as np


def evaluate(nodes: np.ndarray, X: np.ndarray, **schedule: Any) -> float:
    """In float64, two thousand rows at a time."""
    U, total = np.asarray(nodes, dtype=np.float64), 0.0
    for start in range(0, len(X), 2000):
        rows = X[start : start + 2000].astype(np.float64)
        squares = (rows**2).sum(axis=1)[:, None] - 2 * rows @ U.T + (U**2).sum(axis=1)
        total += np.sqrt(np.maximum(squares.min(axis=1), 0)).sum()
    return float(total / len(X))
