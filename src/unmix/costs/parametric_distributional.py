"""Parametric distributional clustering: histogram clustering whose prototypes are mixtures of few shared Gaussians.

    p(b | ν) = Σ_α p(α | ν) G_α(b),   R(c, X) = Σ_i (n_i / s) KL(p_i ‖ p(· | c(i)))

G_α(b) is the share of Gaussian α in bin b of a feature. Neighbouring bins then speak for each other, and prototypes of
few counts are smooth. Neither weights nor Gaussians have a closed form. With N_ν(b) the counts of cluster ν and
r_να(b) = N_ν(b) p(α|ν) G_α(b) / p(b|ν), one step of EM sets p(α|ν) ∝ Σ_b r_να(b) and moves the mean and the width of
each Gaussian uphill in Σ_νb r_να(b) log G_α(b); no step raises R. A row of the prototypes holds p(b|ν) and the p(α|ν),
means and widths from which the next M step goes on.

Hermes, Zöller and Buhmann, Parametric distributional clustering for image segmentation, ECCV 2002.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.costs.distributions.binned_gaussians import gaussian_bins
from unmix.costs.distributions.relative_entropy import RelativeEntropy, Stats
from unmix.costs.histogram import Histogram

ROUNDS, STEPS = 6, 10  # an M step: so many moves of the Gaussians, each after so many of the weights
FLOOR = 1e-6  # share of the background in every prototype: no bin with a count is impossible


class ParametricDistributional(RelativeEntropy):
    """Prototypes (k, m + 3 s) hold distributions, weights, and means and widths (s,), the same in every row.

    With `adapt` the Gaussians are estimated with the weights, from those given; else they stay.
    """

    def __init__(
        self,
        background: np.ndarray,
        unit: float,
        means: np.ndarray,
        widths: np.ndarray,
        adapt: bool = True,
        one_count: float = 1.0,
    ) -> None:
        super().__init__(background, unit)
        self.means, self.widths, self.adapt, self.one_count = means, widths, adapt, one_count

    def without_gaussians(self) -> Histogram:
        """The cost of the same rows whose prototypes are any distributions, smoothed by one count."""
        return Histogram(self.background, self.one_count, self.unit)

    def total(self, data: Any, labels: np.ndarray) -> float:
        """R(labels, data) at the prototypes that the M step finds from the Gaussians given, by definition."""
        start = self.start(int(labels.max()) + 1)
        stats = self.statistics(data, np.eye(len(start))[labels], start)
        h = self.distances(data, self.prototypes(stats, start))
        return float(h[np.arange(len(labels)), labels].sum())

    def start(self, k: int = 1) -> np.ndarray:
        """k prototypes of equal weights."""
        s, m = len(self.means), len(self.background)
        return self._rows(np.full((k, s), 1 / s), gaussian_bins(self.means, self.widths, m), self.means, self.widths)

    def positions(self, prototypes: np.ndarray) -> np.ndarray:
        """(k, m): the distributions alone."""
        return prototypes[:, : len(self.background)]

    def gaussians(self, prototypes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Means and widths (s,)."""
        s = len(self.means)
        return prototypes[0, -2 * s : -s], prototypes[0, -s:]

    def distances(self, block: Any, prototypes: np.ndarray) -> np.ndarray:
        return super().distances(block, self.positions(prototypes))

    def carried_factors(self, prototypes: np.ndarray) -> np.ndarray:
        return super().carried_factors(self.positions(prototypes))

    def separation(self, prototypes: np.ndarray) -> np.ndarray:
        return super().separation(self.positions(prototypes))

    def perturbed(self, prototypes: np.ndarray, directions: np.ndarray, cost: np.ndarray) -> np.ndarray:
        """Only the distributions are moved: both copies start their next M step from the same weights."""
        rest = prototypes[:, len(self.background) :]
        return np.hstack([super().perturbed(self.positions(prototypes), directions, cost), rest])

    def prototypes(self, stats: Stats, previous: np.ndarray) -> np.ndarray:
        """EM from the weights and Gaussians there were; a cluster without counts keeps its weights."""
        from unmix.costs.distributions.binned_gaussians_kernel import estimate

        s, m = len(self.means), len(self.background)
        w, (means, widths) = previous[:, m : m + s].copy(), (part.copy() for part in self.gaussians(previous))
        rounds, steps = (ROUNDS, STEPS) if self.adapt else (1, ROUNDS * STEPS)
        G, rooms = gaussian_bins(means, widths, m), (np.empty((len(w), m)), np.empty(m), np.empty(s))
        estimate(stats.counts, self.background, FLOOR, w, means, widths, rounds, steps, self.adapt, G, *rooms)
        return self._rows(w, G, means, widths)

    def _density(self, w: np.ndarray, G: np.ndarray) -> np.ndarray:
        return np.asarray((1 - FLOOR) * w @ G + FLOOR * self.background)

    def _rows(self, w: np.ndarray, G: np.ndarray, means: np.ndarray, widths: np.ndarray) -> np.ndarray:
        shared = np.broadcast_to(np.concatenate([means, widths]), (len(w), 2 * len(means)))
        return np.hstack([self._density(w, G), w, shared])
