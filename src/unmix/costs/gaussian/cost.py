"""The Gaussian cost: minus the log of the joint density of a row and its component,

    h_ic = -log π_c - log N(x_i; u_c, Σ_c).

Exact expectation at beta = 1 is the EM algorithm for Gaussian mixtures, and the free energy is minus the
log-likelihood. Entries that are NaN are integrated out: distances are those of the observed part, statistics hold
the conditional expectations of the missing part.
References: Dempster, Laird and Rubin (1977); Neal and Hinton (1998), A view of the EM algorithm that justifies
incremental, sparse, and other variants.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from unmix.costs.gaussian import axis_parallel, ellipsoid
from unmix.costs.gaussian.covariance import Family
from unmix.costs.gaussian.few_rows import FEW_ROWS
from unmix.costs.gaussian.mixture import Mixture, Stats, make_mixture

LEAST_SHARE = 1e-15  # of all mass; a component with less is taken to hold no row
NEXT_TO_NOTHING = 1e-200  # stands for the mass of what holds no row, so that a quotient with it is defined


@dataclass(frozen=True, eq=False)
class Gaussian:
    """`floor` (d,) is the least variance of a component along each axis; `missing` says whether rows may hold NaN."""

    family: Family
    floor: np.ndarray
    missing: bool = False

    def total(self, data: Any, labels: np.ndarray) -> float:
        """Minus the log-likelihood of rows and labels together, at its largest over the parameters."""
        q = np.eye(int(labels.max()) + 1)[labels]
        mixture = self.prototypes(self.statistics(data, q, start := self.unit(q.shape[1])), start)
        return float(self.distances(data, mixture)[np.arange(len(labels)), labels].sum())

    def unit(self, k: int, means: np.ndarray | None = None, variance: np.ndarray | None = None) -> Mixture:
        """Components of equal weight, and of the given variances or 1, where nothing better is known."""
        d, plain = len(self.floor), variance is None and self.family.given is None
        means, variance = np.zeros((k, d)) if means is None else means, np.ones(d) if variance is None else variance
        covariances = self.family.given
        if covariances is None:
            matrices = np.tile(np.diag(variance), (1 if self.family.shared else k, 1, 1))
            covariances = np.tile(variance, (k, 1)) if self.family.axis else matrices
        own = covariances if plain else None  # what makes variances of 1 white is itself
        return make_mixture(np.full(k, 1 / k), means, covariances, own)

    def start(self, k: int = 1) -> Mixture:
        """k equal components to begin from."""
        return self.unit(k)

    def distances(self, block: Any, prototypes: Mixture) -> np.ndarray:
        if self.family.axis:
            return axis_parallel.distances(self._readable(block), prototypes).T
        return ellipsoid.distances(block, prototypes, self.missing).T

    def statistics(self, block: Any, q: np.ndarray, prototypes: Mixture) -> Stats:
        turned = np.ascontiguousarray(q.T)
        mass = sum_of_shares(turned)
        if self.family.axis:
            return Stats(mass, *axis_parallel.moments(self._readable(block), turned, prototypes))
        return Stats(mass, None, *ellipsoid.moments(block, turned, prototypes, self.missing, self.family.given is None))

    def _readable(self, block: Any) -> Any:
        return block.toarray() if self.missing and hasattr(block, "toarray") else block

    def at_floor(self, mixture: Mixture, columns: np.ndarray) -> np.ndarray:
        """(k,): whether a component is no larger than the floor in every direction within ``columns``."""
        if self.family.given is not None or not columns.any():
            return np.zeros(len(mixture.weights), dtype=bool)
        floor = self.floor[columns] * (1 + 1e-6)
        if self.family.axis:
            limit = floor if self.family.n_parameters(1, 2) == 2 else floor.mean()
            return np.asarray((mixture.covariances[:, columns] <= limit).all(1))
        unit = np.sqrt(floor)
        relative = mixture.covariances[:, columns][:, :, columns] / np.outer(unit, unit)
        return np.broadcast_to(np.linalg.eigvalsh(relative).max(1) <= 1, len(mixture.weights))

    def undetermined(self, mixture: Mixture, columns: int, rows: float) -> np.ndarray:
        """(k,): whether a component holds too few rows to have a covariance of its own within as many columns.

        A few rows near a plane make a component as thin, and as likely, as one likes: a maximum of the likelihood that
        says nothing of the other rows (McLachlan and Peel, Finite Mixture Models, 2000, section 3.10).
        """
        own = self.family.given is None and not self.family.shared
        least = (2 if self.family.axis else columns + 1) if own else 0
        return np.asarray((mixture.weights > 0) & (mixture.weights * rows < least))

    def prototypes(self, stats: Stats, previous: Mixture) -> Mixture:
        alive = stats.mass > LEAST_SHARE * stats.mass.sum()
        weights = np.where(alive, stats.mass, 0.0)
        count = stats.mass[:, None] if stats.observed is None else stats.observed
        seen = alive[:, None] & (count > 0)
        mass = np.where(seen, count, NEXT_TO_NOTHING)
        step = np.where(seen, stats.first / mass, 0.0)
        covariances = self._covariances(stats.second, previous, mass, step, seen)
        return make_mixture(weights / weights.sum(), previous.means + step, covariances)

    def _covariances(
        self, second: np.ndarray | None, previous: Mixture, mass: np.ndarray, step: np.ndarray, seen: np.ndarray
    ) -> np.ndarray:
        if second is None:
            return previous.covariances
        if self.family.axis:
            scatter = np.maximum(second - mass * step**2, 0.0)
        else:
            # Σ q (x - u_new)(x - u_new)ᵀ = Σ q (x - u)(x - u)ᵀ - N step stepᵀ
            shift = np.einsum("c,ci,cj->cij", mass[:, 0], step, step)
            scatter = second - (shift.sum(0) if self.family.shared else shift)
            mass, seen = mass[:, :, None], seen[:, :, None]
        if not self.family.shared:  # what no row supports stays as it was
            scatter = np.where(seen, scatter, mass * previous.covariances)
        return self.family.estimate(mass, scatter, self.floor)


def sum_of_shares(q: np.ndarray) -> np.ndarray:
    """Σ_i q_ci (k,) in float64."""
    if q.shape[1] <= FEW_ROWS:
        return np.asarray(q.sum(axis=1, dtype=np.float64))
    from unmix.costs.gaussian.mass import sum_rows

    return np.asarray(sum_rows(q))
