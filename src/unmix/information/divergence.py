"""How far one distribution is from another.

    KL(p ‖ q) = Σ p log(p / q),       JS_π(p, q) = H(π_1 p + π_2 q) - π_1 H(p) - π_2 H(q)

References: Kullback & Leibler, On information and sufficiency, Annals of Mathematical Statistics 22 (1951); Lin,
Divergence measures based on the Shannon entropy, IEEE Trans. Information Theory 37 (1991).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.information.distribution import Table, as_distribution, is_sparse, units
from unmix.information.entropy import nats


def kl_divergence(p: Any, q: Any, *, base: float = 2.0) -> float:
    """The extra length of a code made for ``q`` when ``p`` is true; infinite where p > 0 and q = 0.

    Parameters
    ----------
    p, q : array-like or sparse, of the same shape
        Probabilities, or counts, which are divided by their sum.
    base : float, default=2
        2 counts in bits, numpy.e in nats.

    Notes
    -----
    Cost: one pass over the entries that are stored.

    References
    ----------
    Kullback and Leibler, On information and sufficiency, Annals of Mathematical Statistics 22, 1951.

    Examples
    --------
    >>> kl_divergence([1, 1], [3, 1], base=2)
    0.207...
    >>> kl_divergence([1, 1], [1, 0])
    inf
    """
    p, q = _pair(p, q)
    value, other = _where_positive(p, q)
    if not other.all():
        return float("inf")
    return max(0.0, float((value * (np.log(value) - np.log(other))).sum())) / units(base)


def jensen_shannon(p: Any, q: Any, *, weights: tuple[float, float] = (0.5, 0.5), base: float = 2.0) -> float:
    """The Jensen–Shannon divergence (not its root), at most the entropy of ``weights``.

    It is the information that one draw from either gives about which of the two it came from.

    Parameters
    ----------
    p, q : array-like or sparse, of the same shape
        Probabilities, or counts, which are divided by their sum.
    weights : two numbers, default=(0.5, 0.5)
        How often each of them is drawn from.
    base : float, default=2
        2 counts in bits, numpy.e in nats.

    Notes
    -----
    Cost: one pass over the entries that are stored.

    References
    ----------
    Lin, Divergence measures based on the Shannon entropy, IEEE Trans. Information Theory 37, 1991.

    Examples
    --------
    >>> jensen_shannon([1, 0], [0, 1])
    1.0
    """
    p, q = _pair(p, q)
    share = as_distribution(weights, "weights")
    if share.shape != (2,):
        raise ValueError(f"weights has shape {share.shape}; give two numbers, one a distribution")
    parts = share[0] * nats(p) + share[1] * nats(q)
    return max(0.0, nats(share[0] * p + share[1] * q) - float(parts)) / units(base)


def _pair(p: Any, q: Any) -> tuple[Table, Table]:
    p, q = as_distribution(p, "p"), as_distribution(q, "q")
    if p.shape != q.shape:
        raise ValueError(f"p has shape {p.shape} and q {q.shape}; give two distributions of the same values")
    if is_sparse(p) != is_sparse(q):
        raise TypeError("one of p and q is sparse and one dense; give both in the same form")
    return p, q


def _where_positive(p: Table, q: Table) -> tuple[np.ndarray, np.ndarray]:
    """Positive entries of p, and those of q at the same places."""
    if not is_sparse(p):
        return p[p > 0], q[p > 0]
    places = p.copy()
    places.data = np.ones_like(places.data)
    both = q.multiply(places).tocsr()
    if both.nnz < p.nnz:
        return p.data, np.zeros(p.nnz)
    p.sort_indices()
    both.sort_indices()
    return p.data, both.data
