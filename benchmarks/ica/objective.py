"""objective: Amari index of the unmixing matrix (lower is better)"""

import numpy as np


def evaluate(components: np.ndarray, X: np.ndarray, mixing: np.ndarray) -> float:
    gain = np.abs(np.asarray(components, dtype=np.float64) @ mixing)
    k = len(gain)
    rows = (gain / gain.max(axis=1, keepdims=True)).sum() - k
    columns = (gain / gain.max(axis=0, keepdims=True)).sum() - k
    return float((rows + columns) / (2 * k * (k - 1)))
