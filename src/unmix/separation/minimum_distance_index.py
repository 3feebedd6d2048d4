"""The minimum distance index of an unmixing: the least Frobenius distance of C W A from the identity.

    index = min over C with one non-zero entry a row and column of ||C W A - I|| / √(k - 1)

Ilmonen, Nordhausen, Oja & Ollila, A new performance index for ICA: properties, computation and asymptotic analysis,
LVA/ICA 2010. Between 0 (perfect) and 1, invariant under the mixing, and found exactly by one assignment problem.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from unmix.separation.amari_index import gain


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
