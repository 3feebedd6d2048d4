"""Whether an inference step follows the Gibbs distribution it claims to follow."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.costs.base import n_objects
from unmix.inference.anneal import anneal
from unmix.inference.enumerate import enumerate_labellings
from unmix.inference.mean_field import entropy
from unmix.inference.step import Step, refuse_unless_fit


def check_step(step: Step, cost: Any, data: Any, n_clusters: int = 2, temperature: float = 1.0, seed: int = 0) -> None:
    """Anneal a tiny problem with the step and compare with the enumeration of all labellings.

    Shares must sum to one, two runs with one seed must agree, the bound <R> - T H of the shares must not lie below the
    free energy, and at zero temperature no object may gain by moving. Raises an AssertionError that says which fails.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.checks import check_step
    >>> from unmix.costs.least_angle import LeastAngle
    >>> from unmix.inference.mean_field import MeanField
    >>> check_step(MeanField(), LeastAngle(), np.random.default_rng(0).normal(size=(6, 2)))
    """
    refuse_unless_fit(step, cost)
    name, n, k = type(step).__name__, n_objects(data), n_clusters
    exact = enumerate_labellings(cost, data, k, temperature)
    cooling = temperature * np.array([4.0, 2.0, 1.0])
    found, again = (anneal(step, cost, data, k, cooling, seed=seed) for _ in range(2))
    assert found.shares.shape == (n, k), f"{name}.shares has shape {found.shares.shape}, expected {(n, k)}"
    assert np.allclose(found.shares.sum(axis=1), 1.0), f"shares of {name} do not sum to one"
    assert np.array_equal(found.shares, again.shares), f"two runs of {name} with one seed differ"
    p = np.prod([found.shares[i][exact.labellings[:, i]] for i in range(n)], axis=0)
    bound = p @ exact.costs - temperature * entropy(found.shares)
    assert bound >= exact.free_energy - 1e-8 * abs(exact.free_energy), f"{name} claims less than the free energy"
    cold = anneal(step, cost, data, k, np.append(cooling * 0.1, 0.0), seed=seed).labels
    for i in range(n):
        moved = [cost.total(data, np.where(np.arange(n) == i, c, cold)) for c in range(k)]
        gain = moved[cold[i]] - min(moved)
        assert gain <= 1e-8 * max(1.0, abs(moved[0])), (
            f"{name} at zero temperature leaves object {i} to gain {gain:.3g}"
        )
