"""Online EM: the statistics of a mixture, averaged over batches with weights that fade.

    s <- (1 - γ) s + γ ŝ(batch),   u, Σ, π = M(s)

The statistics (mass, first and second moments) are those of the batch divided by its mass. M is one to one, so the
mixture itself is all that has to be carried along: about its own means its statistics are (π_c, 0, π_c Σ_c). With
γ = 1 a step is a step of EM on the batch alone. Entries that are missing enter with their conditional moments.
Reference: Cappé and Moulines, On-line expectation-maximization algorithm for latent data models, J. Royal Statistical
Society B 71 (2009).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import Family
from unmix.costs.gaussian.mixture import Mixture, Stats


def per_unit_of_mass(stats: Stats) -> Stats:
    """Statistics of a batch as if all its rows together weighed 1."""
    parts: Any = (None if part is None else part / stats.mass.sum() for part in stats)
    return Stats(*parts)


def implied(mixture: Mixture, family: Family, observed: np.ndarray | None) -> Stats:
    """The statistics about its own means of rows from which M would find this mixture.

    ``observed`` (k, d) says for axis-parallel families how much of the mass has an entry; None stands for all of it.
    """
    mass, second = mixture.weights, None
    if family.axis:
        observed = np.tile(mass[:, None], mixture.means.shape[1]) if observed is None else observed
        second = observed * mixture.covariances
    elif family.given is None:
        second = mixture.covariances * (1.0 if family.shared else mass[:, None, None])
    return Stats(mass, observed if family.axis else None, np.zeros_like(mixture.means), second)


def average(old: Stats, new: Stats, share: float) -> Stats:
    """(1 - share) old + share new."""
    parts: Any = (None if a is None or b is None else (1 - share) * a + share * b for a, b in zip(old, new))
    return Stats(*parts)


def online_em_step(
    cost: Gaussian, mixture: Mixture, batch: Stats, share: float, observed: np.ndarray | None
) -> tuple[Mixture, np.ndarray | None]:
    """One step with the statistics of a batch at this mixture; the next mixture and the mass of its entries."""
    mixed = average(implied(mixture, cost.family, observed), per_unit_of_mass(batch), share)
    return cost.prototypes(mixed, mixture), mixed.observed
