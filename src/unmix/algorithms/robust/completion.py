"""The matrix of given rank that agrees with X outside given entries: the exact end of a pursuit.

Once the rank of the solution is known, and entries among which its support lies, L is the matrix of that rank with L
= X off these entries; it is locally unique where the pursuit's solution is. Fill the free entries with L, go to the
nearest matrix of the rank, repeat, with Anderson's extrapolation of the filled entries:

    Z = X off the free entries, L on them;   Q = orth(Z Vᵀ),   V = Qᵀ Z,   L = Q V

Small corruptions that were not among the free entries stand out of the misfit when it stops falling, and are freed too.
"""

from __future__ import annotations

import numpy as np

from unmix.algorithms.robust.anderson import NO_MEMORY, extrapolate
from unmix.algorithms.robust.leading import orthonormal

PATIENCE = 6  # iterations in which the misfit has to halve
OUTLIER_FACTOR = 8.0  # times the root mean square of the misfit
ROUNDS = 4  # of freeing entries


def complete(
    X: np.ndarray, free: np.ndarray, L: np.ndarray, V: np.ndarray, *, tol: float, max_iter: int
) -> tuple[np.ndarray, np.ndarray] | None:
    """Factors Q, V of the matrix of rank ``len(V)`` that is X where not ``free``; None if it does not come near.

    ``L`` and its row space ``V`` are where it starts; it has come near when Q V misses X by at most ``tol`` of what
    X is where not free. Entries that stand out are added to ``free``.
    """
    Z, product = X.copy(), np.array(L)
    rounds = 0
    entries, memory, misfits = np.flatnonzero(free), NO_MEMORY, [np.inf]
    size = float(np.linalg.norm(X[~free]))
    values = product.ravel()[entries]
    for _ in range(max_iter):
        Z.ravel()[entries] = values
        Q = orthonormal(Z @ V.T)
        V = Q.T @ Z
        np.dot(Q, V, out=product)
        np.subtract(X, product, out=Z)
        Z.ravel()[entries] = 0.0
        misfits.append(float(np.linalg.norm(Z)))
        if misfits[-1] <= tol * size:
            return Q, V
        if len(misfits) > PATIENCE and misfits[-1] > 0.5 * misfits[-PATIENCE]:
            outlying = np.abs(Z) > OUTLIER_FACTOR * misfits[-1] / np.sqrt(max(X.size - len(entries), 1))
            rounds += 1
            if rounds > ROUNDS or not outlying.any():
                return None
            free |= outlying
            entries, memory, misfits = np.flatnonzero(free), NO_MEMORY, [np.inf]
            values = product.ravel()[entries]
        else:
            memory, values = extrapolate(memory, values, product.ravel()[entries], depth=8)
        np.copyto(Z, X)
    return None
