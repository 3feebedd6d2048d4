"""The Gibbs distribution itself, by writing down every labelling: exact, and only for a handful of objects.

Z = Σ_c exp(-R(c)/T),   F = -T log Z = <R> - T H
"""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np

from unmix.costs.base import Cost, n_objects

MOST_LABELLINGS = 2_000_000


class Exact(NamedTuple):
    """Every labelling (m, n), its cost and probability, and what follows from them."""

    labellings: np.ndarray
    costs: np.ndarray
    probabilities: np.ndarray
    log_partition: float
    free_energy: float
    expected_cost: float
    entropy: float
    marginals: np.ndarray  # (n, k)


def enumerate_labellings(cost: Cost, data: Any, k: int, temperature: float) -> Exact:
    """All k^n labellings with their probabilities at this temperature."""
    if not 0 < temperature < np.inf:
        raise ValueError(f"temperature={temperature!r}: give a finite number above 0")
    n = n_objects(data)
    if k**n > MOST_LABELLINGS:
        raise ValueError(
            f"{n} objects in {k} clusters have {k}^{n} labellings, more than {MOST_LABELLINGS:,}; sample them instead "
            "(Gibbs, Metropolis) or approximate (MeanField)"
        )
    labellings = np.array(list(product(range(k), repeat=n)), np.int64)
    costs = np.array([cost.total(data, labels) for labels in labellings])
    weights = np.exp(-(costs - costs.min()) / temperature)
    p = weights / weights.sum()
    log_z = float(np.log(weights.sum()) - costs.min() / temperature)
    entropy = float(-(p * np.log(np.maximum(p, 1e-300))).sum())
    marginals = np.stack([p @ (labellings == c) for c in range(k)], axis=1)
    return Exact(labellings, costs, p, log_z, -temperature * log_z, float(p @ costs), entropy, marginals)
