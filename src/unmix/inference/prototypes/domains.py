"""Whole domains change their label: what a Potts cost gains that no single object would.

A domain is a connected set of objects of one label. Giving it another label c saves the links between it and c and
changes its field,

    Δ(domain, c) = Σ_{i in domain} (h_ic - h_i,own) - Σ_{i in domain, j outside, c(j) = c} J_ij.

An island of noise on a grid is such a domain: each of its objects is held by the others.
"""

from __future__ import annotations

import numpy as np

from unmix.costs.potts import Couplings


def relabel_domains(data: Couplings, labels: np.ndarray) -> np.ndarray:
    """Labels after every domain that gains, and gains more than its neighbours, has changed; equal if none does."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n, k = data.field.shape
    pairs = csr_array(data.links.matrix()).tocoo()
    inside = labels[pairs.row] == labels[pairs.col]
    same = csr_array((np.ones(inside.sum()), (pairs.row[inside], pairs.col[inside])), shape=(n, n))
    count, domain = connected_components(same, directed=False)
    own = np.empty(count, np.intp)
    own[domain] = labels
    field = np.stack([np.bincount(domain, column, minlength=count) for column in data.field.T], axis=1)
    crossing = pairs.data[~inside], pairs.row[~inside], pairs.col[~inside]
    border = np.zeros((count, k))
    np.add.at(border, (domain[crossing[1]], labels[crossing[2]]), crossing[0])
    rise = field - field[np.arange(count), own][:, None] - border
    rise[np.arange(count), own] = 0.0
    best = rise.argmin(axis=1)
    gain = rise[np.arange(count), best]
    # of two neighbours only the one that gains more may change, for each counts on the other to stay
    beaten, rank = np.zeros(count, bool), np.lexsort((np.arange(count), gain)).argsort()
    one, other = domain[crossing[1]], domain[crossing[2]]
    beaten[one[rank[one] > rank[other]]] = True
    rounding = 1e-12 * (np.abs(field).max(axis=1, initial=0.0) + np.abs(border).max(axis=1, initial=0.0))
    changes = (gain < -rounding) & ~beaten
    return np.where(changes, best, own)[domain]
