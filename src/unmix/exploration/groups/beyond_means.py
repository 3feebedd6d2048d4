"""What tells groups apart where no mean of a column does: how much a number varies, and one number in view of another.

spread     of two normal laws of one mean and spreads 1 and r > 1, rows are put right by |x| < t with
           t² = 2 log r · r² / (r² - 1):   told = (2 Φ(t) - 1) / 2 + 1 - Φ(t / r)
residual   b - β a, β the slope of b on a inside groups: parallel long groups differ in it, and in no single column
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from scipy.special import ndtr

ERRORS = (
    4.0  # standard errors by which spreads must differ; that of a logarithm of a spread is √(1 / 2n) of normal rows
)
MOST_COLUMNS = 8  # whose pairs are looked at


def accuracy_of_spread(spreads: np.ndarray, n: np.ndarray, g: int) -> tuple[str, np.ndarray]:
    """Whether group g varies more or less, and what share of rows that puts right between it and each other group."""
    logs = np.log(np.maximum(spreads, 1e-12))
    error = np.sqrt(0.5 / np.maximum(n[g], 1) + 0.5 / np.maximum(n, 1))
    steps = logs[g] - logs
    r = np.exp(np.minimum(np.abs(steps), 20.0))
    square = np.where(r > 1.001, 2 * np.log(r) * r**2 / np.maximum(r**2 - 1, 1e-9), 1.0)
    t = np.sqrt(square)
    right = np.where(np.abs(steps) > ERRORS * error, (2 * ndtr(t) - 1) / 2 + 1 - ndtr(t / r), 0.5)
    more = bool(np.where(right > 0.5, steps, 0.0).sum() > 0)
    return ("wide" if more else "narrow"), np.where((steps > 0) == more, right, 0.5)


def residuals(X: np.ndarray, labels: np.ndarray, k: int) -> list[tuple[int, int, np.ndarray]]:
    """(a, b, b - β a) of columns whose residual the groups differ in more than in either; rows are complete."""
    n = np.maximum(np.bincount(labels, minlength=k), 1)
    means = np.stack([np.bincount(labels, column, k) for column in X.T], axis=1) / n[:, None]
    inside = X - means[labels]
    product = inside.T @ inside
    found = []
    for a, b in permutations(range(min(X.shape[1], MOST_COLUMNS)), 2):
        slope = product[a, b] / product[a, a] if product[a, a] > 0 else 0.0
        found.append((a, b, X[:, b] - slope * X[:, a]))
    return found
