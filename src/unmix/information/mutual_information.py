"""What one variable says about another.

    I(X;Y) = H(X) + H(Y) - H(X,Y) = KL(p(x,y) ‖ p(x) p(y))

Reference: Cover & Thomas, Elements of Information Theory, chapter 2 (2006).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.information.distribution import Table, as_joint, is_sparse, units


def mutual_information(joint: Any, *, base: float = 2.0) -> float:
    """Mutual information of rows and columns of a joint table or counts, dense or sparse.

    >>> mutual_information([[5, 0], [0, 5]])
    1.0
    """
    return nats_shared(as_joint(joint)) / units(base)


def nats_shared(table: Table) -> float:
    """As `mutual_information`, by natural logarithms, of what is a distribution already.

    Added up as a divergence, entry by entry, since differences of entropies lose the digits of a small value.
    """
    rows, columns = np.asarray(table.sum(axis=1)), np.asarray(table.sum(axis=0))
    if is_sparse(table):
        i, j = table.tocoo().coords
        value, independent = table.tocoo().data, rows[i] * columns[j]
    else:
        value, independent = table[table > 0], np.multiply.outer(rows, columns)[table > 0]
    return max(0.0, float((value * np.log(value / independent)).sum()))
