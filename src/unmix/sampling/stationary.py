"""The stationary distribution of an irreducible chain: π = π P, Σ π = 1.

Dense chains by elimination without subtractions, which keeps every digit of small probabilities; sparse ones by a
sparse factorization. Reference: Grassmann, Taksar & Heyman, Regenerative analysis and steady state distributions for
Markov chains, Operations Research 33 (1985).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csc_array, eye_array
from scipy.sparse.linalg import splu

from unmix.information.distribution import is_sparse


def stationary_law(P: Any) -> np.ndarray:
    return _by_factorization(P) if is_sparse(P) else _by_elimination(P)


def _by_elimination(P: np.ndarray) -> np.ndarray:
    """State by state is taken out: the chain watched on the others is a chain again."""
    P = np.array(P, dtype=np.float64)
    n = len(P)
    for last in range(n - 1, 0, -1):
        P[:last, last] /= P[last, :last].sum()
        P[:last, :last] += np.multiply.outer(P[:last, last], P[last, :last])
    law = np.ones(n)
    for state in range(1, n):
        law[state] = law[:state] @ P[:state, state]
    return law / law.sum()


def _by_factorization(P: Any) -> np.ndarray:
    """With the last probability set to one, the other equations of π (I - P) = 0 have one solution."""
    n = P.shape[0]
    if n == 1:
        return np.ones(1)
    system = csc_array(eye_array(n) - P.T)
    others = splu(csc_array(system[:-1, :-1])).solve(-system[:-1, [-1]].toarray().ravel())
    law = np.append(np.maximum(others, 0.0), 1.0)
    return law / law.sum()
