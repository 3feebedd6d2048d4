"""How alike the atoms of a dictionary are, and what that promises.

    m(U) = max_{i≠j} |<u_i, u_j>| / (||u_i|| ||u_j||)

If x has a code with K < ½ (1 + 1/m) non-zeros, that code is the sparsest, and both matching pursuit and orthogonal
matching pursuit find its atoms.  Tropp, IEEE Trans. Information Theory 50, 2004.
"""

from __future__ import annotations

import numpy as np

from unmix.algorithms.sparse_codes.dictionary import prepare

ROWS = 1024


def union_of_bases(*bases: np.ndarray) -> np.ndarray:
    """The atoms of all bases in one dictionary: sparse for signals that are sums of what each is good for.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import dct_basis, recovery_bound, union_of_bases
    >>> U = union_of_bases(np.eye(64), dct_basis(64))
    >>> U.shape, round(recovery_bound(U), 2)
    ((128, 64), 3.33)
    """
    if not bases or len({np.shape(basis)[1:] for basis in bases}) > 1 or np.ndim(bases[0]) != 2:
        raise ValueError("bases: give matrices with as many columns each, whose rows are atoms")
    return np.vstack(bases)


def coherence(dictionary: np.ndarray) -> float:
    """The largest |cosine| between two atoms: 0 for an orthogonal basis, 1 where two point the same way.

    One more atom of any kind beside an orthonormal basis of d dimensions has at least 1/√d.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import coherence
    >>> coherence(np.eye(4))
    0.0
    >>> coherence(np.vstack([np.eye(4), np.ones(4)]))
    0.5
    """
    atoms = prepare(dictionary).atoms
    most = 0.0
    for start in range(0, len(atoms), ROWS):
        products = np.abs(atoms[start : start + ROWS] @ atoms.T)
        products[np.arange(len(products)), start + np.arange(len(products))] = 0.0
        most = max(most, float(products.max()))
    return min(most, 1.0)


def recovery_bound(dictionary: np.ndarray) -> float:
    """½ (1 + 1/m): codes with fewer non-zeros than this are unique, and pursuit finds them. Infinite for a basis."""
    m = coherence(dictionary)
    return float("inf") if m == 0 else 0.5 * (1 + 1 / m)
