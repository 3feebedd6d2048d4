"""How far an unmixing is from undoing a mixing, up to order, sign and scale, with P = W A.

    Amari index            [ Σ_i (Σ_j |p_ij| / max_j |p_ij| - 1) + Σ_j (Σ_i |p_ij| / max_i |p_ij| - 1) ] / (2 k (k - 1))
    minimum distance index min over C with one non-zero entry a row and column of ||C P - I|| / √(k - 1)

Amari, Cichocki & Yang, A new learning algorithm for blind signal separation, NIPS 1995. Ilmonen, Nordhausen, Oja &
Ollila, A new performance index for ICA: properties, computation and asymptotic analysis, LVA/ICA 2010: invariant under
the mixing, and found exactly by one assignment problem.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment


def gain(components, mixing):
    """The square matrix W A of an unmixing (k, d) and a mixing (d, k)."""
    W, A = np.asarray(components, dtype=np.float64), np.asarray(mixing, dtype=np.float64)
    if W.ndim != 2 or W.shape != A.T.shape:
        raise ValueError(
            f"components of shape {W.shape} and mixing of shape {A.shape} do not fit; give (k, d) and (d, k)"
        )
    if not (np.isfinite(W).all() and np.isfinite(A).all()):
        raise ValueError("components and mixing must be finite numbers")
    P = W @ A
    if not (np.abs(P).max(axis=0, initial=0) > 0).all() or not (np.abs(P).max(axis=1, initial=0) > 0).all():
        raise ValueError("components @ mixing has a row or column of zeros: a source is lost, or found from nothing")
    return P


def amari_index(components, mixing):
    """Amari index of an unmixing matrix against the true mixing: 0 is perfect, 1 the worst.

    Order, sign and scale of the sources do not count.

    Parameters
    ----------
    components : array of shape (k, d)
        The unmixing matrix, rows are sources.
    mixing : array of shape (d, k)
        The true mixing, columns are sources.

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> A = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> amari_index(np.array([[0.0, -3.0], [0.5, 0.0]]) @ np.linalg.inv(A), A) < 1e-12
    True
    """
    P = np.abs(gain(components, mixing))
    k = len(P)
    if k == 1:
        return 0.0
    rows = (P / P.max(axis=1, keepdims=True)).sum() - k
    columns = (P / P.max(axis=0, keepdims=True)).sum() - k
    return float((rows + columns) / (2 * k * (k - 1)))


def minimum_distance_index(components, mixing):
    """Minimum distance index of an unmixing matrix (k, d) against the true mixing (d, k): 0 is perfect, 1 the worst.

    Examples
    --------
    >>> import numpy as np
    >>> A = np.array([[1.0, 2.0], [3.0, 4.0]])
    >>> minimum_distance_index(np.array([[0.0, -3.0], [0.5, 0.0]]) @ np.linalg.inv(A), A) < 1e-7
    True
    """
    P = gain(components, mixing)
    k = len(P)
    if k == 1:
        return 0.0
    shares = P**2 / np.sum(P**2, axis=1, keepdims=True)  # the best scale of row i for place j leaves 1 - share_ij
    rows, columns = linear_sum_assignment(-shares)
    left = max(k - float(shares[rows, columns].sum()), 0.0)
    return float(np.sqrt(left / (k - 1)))
