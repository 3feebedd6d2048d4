"""What one variable says about another.

    I(X;Y) = H(X) + H(Y) - H(X,Y) = KL(p(x,y) ‖ p(x) p(y))

Reference: Cover & Thomas, Elements of Information Theory, chapter 2 (2006).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.information.bias import checked_correction, corrected_nats
from unmix.information.distribution import Table, as_joint, is_sparse, units


def mutual_information(joint: Any, *, correction: str = "none", base: float = 2.0) -> float:
    """Mutual information of rows and columns of a joint table or counts, dense or sparse.

    Parameters
    ----------
    joint : array-like or sparse of shape (n, m)
        Probabilities or counts, rows for X and columns for Y.
    correction : {"none", "miller-madow", "grassberger", "chao-shen"}, default="none"
        Counts of independent variables show information by chance, about (n - 1)(m - 1) / 2N nats for N counts. A
        correction (see `entropy`) takes it off; what remains scatters around zero and is not cut off there.
    base : float, default=2
        2 counts in bits, numpy.e in nats.

    Notes
    -----
    Cost: one pass over the entries that are stored.

    References
    ----------
    Cover and Thomas, Elements of Information Theory, 2006, chapter 2.

    Examples
    --------
    >>> mutual_information([[5, 0], [0, 5]])
    1.0
    >>> mutual_information([[4, 3], [2, 3]], correction="miller-madow")
    -0.039...
    """
    table = as_joint(joint)
    if checked_correction(correction) != "none":
        counts = joint if is_sparse(joint) else np.asarray(joint)
        margins = (np.asarray(counts.sum(axis=axis)).ravel() for axis in (1, 0))
        apart = sum(corrected_nats(margin, correction) for margin in margins)
        return (apart - corrected_nats(counts, correction, "joint")) / units(base)
    return nats_shared(table) / units(base)


def nats_shared(table: Table) -> float:
    """As `mutual_information`, by natural logarithms, of what is a distribution already.

    Added up as a divergence, entry by entry, since differences of entropies lose the digits of a small value.
    """
    rows, columns = np.asarray(table.sum(axis=1)), np.asarray(table.sum(axis=0))
    if is_sparse(table):
        i, j = table.tocoo().coords
        value, outer = table.tocoo().data, (rows[i], columns[j])
    else:
        i, j = np.nonzero(table > 0)
        value, outer = table[i, j], (rows[i], columns[j])
    return max(0.0, float((value * np.log(value / outer[0] / outer[1])).sum()))
