"""objective: relative error of the low-rank part (lower is better)"""

import numpy as np


def evaluate(result: np.ndarray, X: np.ndarray, L: np.ndarray) -> float:
    return float(np.linalg.norm(result - L) / np.linalg.norm(L))
