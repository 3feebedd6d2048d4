"""Entropy, the uncertainty that a distribution leaves.

    H(X) = -Σ_x p(x) log p(x),        H(Y|X) = H(X,Y) - H(X)

Reference: Shannon, A mathematical theory of communication, Bell System Technical Journal 27 (1948).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.information.distribution import Table, as_distribution, as_joint, stored, units, x_log_x


def entropy(p: Any, *, base: float = 2.0) -> float:
    """Entropy of one distribution, given as probabilities or counts of any shape, dense or sparse.

    A joint table gives the joint entropy H(X,Y).

    >>> entropy([1, 1, 1, 1])
    2.0
    """
    return nats(as_distribution(p)) / units(base)


def conditional_entropy(joint: Any, *, base: float = 2.0) -> float:
    """H(Y|X), what remains uncertain of the column once the row is known, of a joint table or counts.

    >>> conditional_entropy([[1, 1], [1, 1]])
    1.0
    """
    table = as_joint(joint)
    return max(0.0, nats(table) - nats(np.asarray(table.sum(axis=1)))) / units(base)


def nats(table: Table) -> float:
    """Entropy of what is a distribution already, by natural logarithms."""
    return max(0.0, -float(x_log_x(stored(table)).sum()))
