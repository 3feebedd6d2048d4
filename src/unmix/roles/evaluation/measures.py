"""How good roles are: agreement with the data, with known roles, with a second sample, and how much there is to manage.

Every measure takes matrices of 0 and 1, users × permissions; Frank, Streich, Basin & Buhmann, CCS 2009 and JMLR 2012.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.base import clone

from unmix.core.random import spawn
from unmix.roles.access.grants import is_sparse
from unmix.roles.classical.best_assignment import boolean_product


def _pair(X: Any, approximation: Any) -> tuple[np.ndarray, np.ndarray]:
    pair = [np.asarray(M.toarray() if is_sparse(M) else M) > 0.5 for M in (X, approximation)]
    if pair[0].shape != pair[1].shape:
        raise ValueError(f"X has shape {pair[0].shape}, its approximation {pair[1].shape}; give two of one shape")
    return pair[0], pair[1]


def deviation(X: Any, approximation: Any) -> float:
    """Share of entries that differ, ``|X - X̂| / (n d)``.

    Examples
    --------
    >>> deviation([[1, 0], [1, 1]], [[1, 1], [1, 1]])
    0.25
    """
    true, given = _pair(X, approximation)
    return float((true != given).mean())


def coverage(X: Any, approximation: Any) -> float:
    """Share of the ones of X that are ones of the approximation; 1 where X has none.

    Examples
    --------
    >>> coverage([[1, 0], [1, 0]], [[1, 1], [0, 0]])
    0.5
    """
    return 1.0 - deviating(X, approximation, 1)


def deviating(X: Any, approximation: Any, value: int) -> float:
    """Share of the entries of X equal to ``value`` (1 or 0) that are wrong; 0 where there are none.

    Examples
    --------
    >>> deviating([[1, 0], [1, 0]], [[1, 1], [0, 0]], 1), deviating([[1, 0], [1, 1]], [[1, 1], [1, 1]], 0)
    (0.5, 1.0)
    """
    if value not in (0, 1):
        raise ValueError(f"value={value!r}: give 1 for deviating ones, 0 for deviating zeros")
    true, given = _pair(X, approximation)
    asked = true == bool(value)
    return float((given[asked] != bool(value)).mean()) if asked.any() else 0.0


def match_roles(roles: Any, others: Any) -> tuple[np.ndarray, np.ndarray]:
    """The pairing of roles with the fewest differing permissions (Hungarian method): indices into both, aligned."""
    first, second = np.asarray(roles, dtype=np.float64), np.asarray(others, dtype=np.float64)
    apart = first.sum(axis=1)[:, None] + second.sum(axis=1) - 2 * (first @ second.T)
    return linear_sum_assignment(apart)


def role_distance(true_roles: Any, roles: Any) -> float:
    """Parameter accuracy: ``min_π Σ_k |u_k - û_π(k)| / (K d)``, K the larger number of the two.

    Examples
    --------
    >>> role_distance([[1, 1, 0], [0, 0, 1]], [[0, 0, 1], [1, 0, 0]])
    0.16666666666666666
    """
    true, found = np.asarray(true_roles) > 0.5, np.asarray(roles) > 0.5
    if true.ndim != 2 or found.ndim != 2 or true.shape[1] != found.shape[1]:
        raise ValueError(f"roles of shapes {true.shape} and {found.shape}: give two matrices, roles × permissions")
    most = max(len(true), len(found))
    true, found = (np.pad(roles, ((0, most - len(roles)), (0, 0))) for roles in (true, found))
    mine, theirs = match_roles(true, found)
    return float((true[mine] != found[theirs]).mean())


def stability(estimator: Any, X: Any, *, n_repeats: int = 5, random_state: int = 0) -> float:
    """Mean `role_distance` between fits on two halves of the users, drawn ``n_repeats`` times: 0 is stable."""
    X = X if is_sparse(X) or hasattr(X, "iloc") else np.asarray(X)
    n, distances = X.shape[0], []
    for repeat in range(n_repeats):
        order = spawn(random_state, repeat).permutation(n)
        halves = np.sort(order[: n // 2]), np.sort(order[n // 2 : 2 * (n // 2)])
        fits = [clone(estimator).fit(X.iloc[h] if hasattr(X, "iloc") else X[h]) for h in halves]
        distances.append(role_distance(fits[0].roles_, fits[1].roles_))
    return float(np.mean(distances))


def weighted_structural_complexity(
    roles: Any, assignments: Any, X: Any = None, *, weights: tuple[float, float, float, float] = (1, 1, 1, 1)
) -> float:
    """``w_r |R| + w_u |UA| + w_p |PA| + w_d |exceptions|``: what there is to manage (Molloy et al., SACMAT 2008).

    Exceptions are the entries of X that the product of assignments and roles gets wrong; without X they are left out.

    Examples
    --------
    >>> weighted_structural_complexity([[1, 1, 0], [0, 0, 1]], [[1, 0], [1, 1]], [[1, 1, 0], [1, 1, 0]])
    9.0
    """
    roles, assignments = np.asarray(roles, dtype=np.float64), np.asarray(assignments, dtype=np.float64)
    exceptions = 0.0
    if X is not None:
        exceptions = float(np.not_equal(*_pair(X, boolean_product(assignments, roles))).sum())
    parts = (len(roles), assignments.sum(), roles.sum(), exceptions)
    return float(np.dot(weights, parts))


def pareto_front(n_roles: Any, deviations: Any) -> np.ndarray:
    """Indices of the solutions no other beats in both numbers, from few roles to many.

    Examples
    --------
    >>> pareto_front([1, 2, 2, 3, 4], [9, 5, 6, 5, 0]).tolist()
    [0, 1, 4]
    """
    order, front, least = np.lexsort((deviations, n_roles)), [], np.inf
    for index in order:
        if np.asarray(deviations)[index] < least:
            front.append(int(index))
            least = np.asarray(deviations)[index]
    return np.array(front, dtype=np.intp)
