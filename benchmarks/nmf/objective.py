"""objective: relative error ||X - Z U|| / ||X|| (lower is better)"""

from typing import Any

import numpy as np


def evaluate(result: tuple[np.ndarray, np.ndarray], X: Any, k: int, **targets: float) -> float:
    """In float64; for sparse tables from products, ||X||² - 2 <X Uᵀ, Z> + <ZᵀZ, U Uᵀ>."""
    Z, U = (np.asarray(factor, dtype=np.float64) for factor in result)
    assert Z.shape[1] == U.shape[0] == k
    assert min(Z.min(), U.min()) >= 0
    if hasattr(X, "tocsr"):
        table = X.astype(np.float64)
        squares = float((table.data**2).sum())
        rest = squares - 2 * float((np.asarray(table @ U.T) * Z).sum()) + float(((Z.T @ Z) * (U @ U.T)).sum())
        return float(np.sqrt(max(rest, 0.0) / squares))
    return float(np.linalg.norm(X - Z @ U) / np.linalg.norm(X.astype(np.float64)))
