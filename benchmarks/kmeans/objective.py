"""objective: sum of squared distances to the nearest centre (lower is better), mean over the rounds' seeds"""

import numpy as np


def evaluate(result: np.ndarray, X: np.ndarray, k: int) -> float:
    """In float64 and in slices, from the centres alone: nobody's own figure is taken for granted."""
    assert result.shape == (k, X.shape[1])
    centres = result.astype(np.float64)
    total = 0.0
    for start in range(0, len(X), 20_000):
        block = X[start : start + 20_000].astype(np.float64)
        # ||x - u||² = ||x||² - 2 x·u + ||u||²
        nearest = (np.einsum("ij,ij->i", centres, centres) - 2 * block @ centres.T).min(axis=1)
        total += np.einsum("ij,ij->", block, block) + nearest.sum()
    return total
