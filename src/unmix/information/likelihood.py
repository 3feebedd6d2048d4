"""The expected log-likelihood of each object's law under each cluster's law.

    s_ic = Σ_y p(y|x_i) log p(y|c) = -H(Y|x_i) - KL(p(y|x_i) ‖ p(y|c))

The nearest cluster by KL is the most likely one.
"""

from __future__ import annotations

import numpy as np

from unmix.information.distribution import Table


def expected_log_likelihood(rows: Table, distributions: np.ndarray) -> np.ndarray:
    """s (n, k) in nats; -inf where a cluster gives no chance to something the object has.

    Where every cluster does that, those that leave out the least remain finite and count what they cover: a new object
    with features never seen before is still told apart by the others.
    """
    positive = distributions > 0
    logs = np.log(np.where(positive, distributions, 1.0))
    score = np.asarray(rows @ logs.T)
    if not positive.all():
        missing = np.asarray(rows @ (~positive).T.astype(rows.dtype))
        score[missing > missing.min(axis=1, keepdims=True)] = -np.inf
    return score
