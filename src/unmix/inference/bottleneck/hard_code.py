"""A hard code of objects: labels, the sums of their joint law by cluster, and the information these keep.

    S_cy = Σ_{i in c} p(x_i, y),   I(X̂;Y) = Σ_cy S_cy log(S_cy / (S_c S_y))

What is lost is the cost of histogram clustering: I(X;Y) - I(X̂;Y) = Σ_i p_i KL(p(y|i) ‖ p(y|c(i))).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from unmix.information.distribution import is_sparse
from unmix.information.mutual_information import nats_shared
from unmix.information.objects import Objects


def cluster_sums(objects: Objects, labels: np.ndarray, k: int) -> np.ndarray:
    """S (k, d); objects with label -1 are in no cluster."""
    placed = np.flatnonzero(labels >= 0)
    members = csr_array((objects.mass[placed], (labels[placed], placed)), shape=(k, len(labels)))
    sums = members @ objects.rows
    return np.asarray(sums.toarray() if is_sparse(sums) else sums)


def information(sums: np.ndarray) -> float:
    """I(X̂;Y) in nats."""
    return nats_shared(sums)
