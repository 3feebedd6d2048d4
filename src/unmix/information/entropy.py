"""Entropy, the uncertainty that a distribution leaves.

    H(X) = -Σ_x p(x) log p(x),        H(Y|X) = H(X,Y) - H(X)

Reference: Shannon, A mathematical theory of communication, Bell System Technical Journal 27 (1948).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.information.bias import checked_correction, corrected_nats
from unmix.information.distribution import Table, as_distribution, as_joint, is_sparse, stored, units, x_log_x


def entropy(p: Any, *, correction: str = "none", base: float = 2.0) -> float:
    """Entropy of one distribution, given as probabilities or counts of any shape, dense or sparse.

    Parameters
    ----------
    p : array-like or sparse
        Probabilities, or counts, which are divided by their sum.
    correction : {"none", "miller-madow", "grassberger", "chao-shen"}, default="none"
        Entropy of a sample is on average below that of the law it came from. "miller-madow" adds the first term that is
        missing, "grassberger" more of them, "chao-shen" also reckons with values not seen yet: use it where many were
        seen only once. All of them need counts. A corrected value may exceed the logarithm of the number of values, and
        that of a sample of one value only may miss zero.
    base : float, default=2
        2 counts in bits, numpy.e in nats.

    Notes
    -----
    Cost: one pass over the entries that are stored.

    References
    ----------
    Shannon, A mathematical theory of communication, Bell System Technical Journal 27, 1948.
    Miller, Note on the bias of information estimates, 1955. Grassberger, Entropy estimates from insufficient samplings,
    2003. Chao and Shen, Nonparametric estimation of Shannon's index of diversity, 2003.

    Examples
    --------
    >>> entropy([1, 1, 1, 1])
    2.0
    >>> entropy([1, 1, 1, 1], correction="miller-madow")
    2.54...
    """
    return _nats(p, correction, "p") / units(base)


def joint_entropy(joint: Any, *, correction: str = "none", base: float = 2.0) -> float:
    """H(X,Y,…), the entropy of all axes of a table of probabilities or counts together.

    Parameters
    ----------
    joint : array-like or sparse, of two axes or more
    correction, base : as for `entropy`

    Notes
    -----
    Cost: one pass over the entries that are stored.

    References
    ----------
    Cover and Thomas, Elements of Information Theory, 2006, chapter 2.

    Examples
    --------
    >>> joint_entropy([[1, 1], [1, 1]])
    2.0
    """
    if np.ndim(joint) < 2:
        raise ValueError(f"joint has {np.ndim(joint)} dimension(s); give a table with one axis for each variable")
    return _nats(joint, correction, "joint") / units(base)


def conditional_entropy(joint: Any, *, correction: str = "none", base: float = 2.0) -> float:
    """H(Y|X), what remains uncertain of the column once the row is known, of a joint table or counts.

    A corrected value may by chance be a little below zero.

    Parameters
    ----------
    joint : array-like or sparse of shape (n, m)
        Rows for X, columns for Y.
    correction, base : as for `entropy`

    Notes
    -----
    Cost: one pass over the entries that are stored.

    References
    ----------
    Cover and Thomas, Elements of Information Theory, 2006, chapter 2.

    Examples
    --------
    >>> conditional_entropy([[1, 1], [1, 1]])
    1.0
    """
    table = as_joint(joint)
    if checked_correction(correction) != "none":
        counts = joint if is_sparse(joint) else np.asarray(joint)
        rows = np.asarray(counts.sum(axis=1)).ravel()
        return (corrected_nats(counts, correction, "joint") - corrected_nats(rows, correction)) / units(base)
    return max(0.0, nats(table) - nats(np.asarray(table.sum(axis=1)))) / units(base)


def nats(table: Table) -> float:
    """Entropy of what is a distribution already, by natural logarithms."""
    return max(0.0, -float(x_log_x(stored(table)).sum()))


def _nats(table: Any, correction: str, name: str) -> float:
    if checked_correction(correction) != "none":
        return corrected_nats(table, correction, name)
    return nats(as_distribution(table, name))
