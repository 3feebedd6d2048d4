"""objective: mean over K of the sum of squared distances to the nearest centre (lower is better)"""

import numpy as np

from benchmarks.kmeans.objective import evaluate as sum_of_squares


def evaluate(result: list[np.ndarray], X: np.ndarray, ks: range) -> float:
    return float(np.mean([sum_of_squares(centres, X, k) for k, centres in zip(ks, result, strict=True)]))
