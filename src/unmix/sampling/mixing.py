"""How long a chain takes to forget where it began.

d(t) = max_i ½ Σ_j |(P^t)_ij - π_j|,   mixing time = min { t : d(t) ≤ epsilon };   d never rises with t

P^t - 1π = (P - 1π)^t: powers of the difference keep their digits however small they get, those of P only to rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array

ROUNDING = 4 * float(np.finfo(float).eps)
SQUARINGS = 64  # of P - 1π; a chain that is not mixed after 2^64 steps has an eigenvalue that rounds to 1
RECENTRE_AFTER = 1e-3  # of the distance, after which the part of π that rounding left is taken out again


def distance(deviations: np.ndarray) -> float:
    """d of rows P^t - 1π."""
    return 0.5 * float(np.abs(deviations).sum(axis=1).max())


def mixing_by_powers(P: np.ndarray, law: np.ndarray, epsilon: float) -> int:
    """Squares of P - 1π until they are small enough, then back down by halves: the distance never rises with t."""
    start = np.eye(len(P)) - law
    if distance(start) <= epsilon:
        return 0
    powers = [np.where(np.abs(P - law) > ROUNDING * (P + law), P - law, 0.0)]
    while distance(powers[-1]) > epsilon:
        if len(powers) > SQUARINGS:
            raise ValueError(
                f"the chain is not within epsilon={epsilon!r} of its stationary distribution after 2^{SQUARINGS} "
                "steps: states are left so rarely that the probability of staying rounds to 1; ask for its closed "
                "classes without those transitions"
            )
        powers.append(powers[-1] @ powers[-1])
    steps, rows = 0, start
    for exponent in range(len(powers) - 1, -1, -1):
        further = rows @ powers[exponent]
        if distance(further) > epsilon:
            steps, rows = steps + 2**exponent, further
    return steps + 1


def mixing_by_steps(P: Any, law: np.ndarray, epsilon: float, max_steps: int) -> float:
    """Some starts at a time, step by step: P stays sparse, and memory is that of the laws of those starts."""
    n, most = len(law), 0
    size = max(1, 2**22 // n)
    turned = csr_array(P.T)
    for first in range(0, n, size):
        starts = np.arange(first, min(n, first + size))
        rows = np.repeat(-law[:, None], len(starts), axis=1)
        rows[starts, np.arange(len(starts))] += 1.0
        steps, now = 0, distance(rows.T)
        cleaned = now
        while steps < max_steps and now > epsilon:
            rows, steps = turned @ rows, steps + 1
            now = distance(rows.T)
            if now < RECENTRE_AFTER * cleaned:
                rows -= np.multiply.outer(law, rows.sum(axis=0))
                cleaned = now
        most = max(most, steps)
    return most if most < max_steps else float("inf")
