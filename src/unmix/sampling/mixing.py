"""How long a chain takes to forget where it began.

d(t) = max_i ½ Σ_j |(P^t)_ij - π_j|,   mixing time = min { t : d(t) ≤ epsilon };   d never rises with t
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array


def distance(rows: np.ndarray, law: np.ndarray) -> float:
    return 0.5 * float(np.abs(rows - law).sum(axis=1).max())


def mixing_by_powers(P: np.ndarray, law: np.ndarray, epsilon: float) -> int:
    """Squares of P until they are close enough, then back down by halves: the distance never rises with t."""
    powers = [P]
    while distance(powers[-1], law) > epsilon:
        square = powers[-1] @ powers[-1]
        powers.append(square / square.sum(axis=1, keepdims=True))  # or rounding would double every time, too
    steps, rows = 0, np.eye(len(P))
    if distance(rows, law) <= epsilon:
        return 0
    for exponent in range(len(powers) - 1, -1, -1):
        further = rows @ powers[exponent]
        if distance(further, law) > epsilon:
            steps, rows = steps + 2**exponent, further
    return steps + 1


def mixing_by_steps(P: Any, law: np.ndarray, epsilon: float, max_steps: int) -> float:
    """Some starts at a time, step by step: P stays sparse, and memory is that of the laws of those starts."""
    n, most = len(law), 0
    size = max(1, 2**22 // n)
    turned = csr_array(P.T)
    for first in range(0, n, size):
        starts = np.arange(first, min(n, first + size))
        rows = np.zeros((n, len(starts)))
        rows[starts, np.arange(len(starts))] = 1.0
        steps = 0
        while steps < max_steps and distance(rows.T, law) > epsilon:
            rows, steps = turned @ rows, steps + 1
        most = max(most, steps)
    return most if most < max_steps else float("inf")
