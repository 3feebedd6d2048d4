"""objective: Amari index of the found and the true unmixing (lower is better)"""

import numpy as np


def evaluate(W: np.ndarray, matrices: np.ndarray, mixing: np.ndarray) -> float:
    P, k = np.abs(W @ mixing), len(W)
    rows, columns = (P / P.max(1, keepdims=True)).sum() - k, (P / P.max(0, keepdims=True)).sum() - k
    return float((rows + columns) / (2 * k * (k - 1)))
