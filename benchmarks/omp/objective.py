"""objective: what the codes leave of the signals, ||X - Z U|| / ||X|| (lower is better)"""

from typing import Any

import numpy as np


def evaluate(Z: Any, X: np.ndarray, U: np.ndarray, s: int) -> float:
    """In float64; a code with more non-zeros than asked for does not count."""
    if (Z != 0).sum(axis=1).max() > s:
        return float("nan")
    rows = X.astype(np.float64)
    return float(np.linalg.norm(rows - Z.astype(np.float64) @ U.astype(np.float64)) / np.linalg.norm(rows))
