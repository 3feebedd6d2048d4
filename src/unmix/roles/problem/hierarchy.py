"""Which role contains which: the transitive reduction of containment, and what a role adds to the roles below it."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.bits import Bits, product, residual, structure


def contains(roles: sp.csr_array) -> sp.csr_array:
    """below[i, j]: role j is a proper part of role i; of equal roles the first counts as the larger.

    Shared permissions are counted by a sparse product, so roles that share nothing cost nothing.
    """
    sizes = np.diff(roles.indptr)
    shared = sp.coo_array(roles.astype(np.int64) @ roles.T.astype(np.int64))
    i, j = shared.coords
    part = (shared.data == sizes[j]) & ((sizes[i] > sizes[j]) | ((sizes[i] == sizes[j]) & (i < j)))
    found = sp.csr_array((np.ones(part.sum(), bool), (i[part], j[part])), shape=(roles.shape[0],) * 2)
    found.sort_indices()
    return found


def reduction(roles: sp.csr_array) -> sp.csr_array:
    """Containments with no role between.

    >>> reduction(structure([[1, 1, 1], [1, 1, 0], [1, 0, 0]])).toarray().astype(int).tolist()
    [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    """
    below = contains(roles)
    steps = below.astype(np.int64) @ below.astype(np.int64)
    return structure(below.astype(np.int64) - below.astype(np.int64).multiply(steps > 0))


def direct_permissions(roles: sp.csr_array, below: sp.csr_array) -> sp.csr_array:
    """Permissions a role has to list itself: those no role it inherits from has."""
    bits = Bits.of(roles)
    return residual(bits, product(below, bits)).sparse()
