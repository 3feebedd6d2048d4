"""Parametric distributional clustering: histogram clustering whose prototypes are mixtures of few shared Gaussians.

    p(b | ν) = Σ_α p(α | ν) G_α(b),   R(c, X) = Σ_i (n_i / s) KL(p_i ‖ p(· | c(i)))

G_α(b) is the share of Gaussian α in bin b of a feature. Neighbouring bins then speak for each other, and prototypes of
few counts are smooth. The weights have no closed form: p(α|ν) ← Σ_b N_ν(b) p(α|ν) G_α(b) / p(b|ν) / Σ_b N_ν(b) raises
the likelihood of the counts N_ν of the cluster (EM), and is repeated from equal weights.

Hermes, Zöller and Buhmann, Parametric distributional clustering for image segmentation, ECCV 2002.
"""

from __future__ import annotations

import numpy as np

from unmix.costs.histogram import Histogram, Stats

STEPS = 60
FLOOR = 1e-6  # share of the background in every prototype: no bin with a count is impossible


class ParametricDistributional(Histogram):
    """As `Histogram`, with prototypes in the family spanned by ``components`` G (s, bins)."""

    def __init__(self, background: np.ndarray, unit: float, components: np.ndarray) -> None:
        super().__init__(background, 0.0, unit)
        self.components = components

    def total(self, data: np.ndarray, labels: np.ndarray) -> float:
        """R(labels, data), by definition."""
        prototypes = np.ones((int(labels.max()) + 1, len(self.background))) / len(self.background)
        stats = self.statistics(data, np.eye(len(prototypes))[labels], prototypes)
        h = self.distances(data, self.prototypes(stats, prototypes))
        return float(h[np.arange(len(labels)), labels].sum())

    def prototypes(self, stats: Stats, previous: np.ndarray) -> np.ndarray:
        """The mixtures of largest likelihood; a cluster without counts keeps its prototype."""
        fresh = (1 - FLOOR) * self.mixing(stats.counts) @ self.components + FLOOR * self.background
        return np.where(stats.mass[:, None] > 0, fresh, previous)

    def mixing(self, counts: np.ndarray) -> np.ndarray:
        """(k, s): weights of the Gaussians for counts (k, bins)."""
        w = np.full((len(counts), len(self.components)), 1 / len(self.components))
        share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
        for _ in range(STEPS):
            density = w @ self.components
            w = w * ((share / np.where(density > 0, density, 1.0)) @ self.components.T)
            w /= np.maximum(w.sum(axis=1, keepdims=True), 1e-300)
        return w


def gaussian_bins(means: np.ndarray, widths: np.ndarray, bins: int) -> np.ndarray:
    """(s, bins): Gaussians over bin numbers 0 … bins - 1, each summing to one."""
    away = (np.arange(bins) - means[:, None]) / widths[:, None]
    density = np.exp(-0.5 * away * away) + 1e-300
    return density / density.sum(axis=1, keepdims=True)  # type: ignore[no-any-return]


def fit_gaussians(histogram: np.ndarray, n: int, steps: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Means and widths of n Gaussians fitted to one histogram by EM, from equal shares of it."""
    bins, places = len(histogram), np.arange(len(histogram))
    share = histogram / histogram.sum()
    means = np.interp((np.arange(n) + 0.5) / n, np.cumsum(share), places).astype(np.float64)
    widths, w = np.full(n, max(bins / n / 2, 0.5)), np.full(n, 1 / n)
    for _ in range(steps):
        joint = w[:, None] * gaussian_bins(means, widths, bins)
        q = share * joint / np.maximum(joint.sum(axis=0), 1e-300)
        w = q.sum(axis=1)
        safe = np.where(w > 0, w, 1.0)
        means = np.where(w > 0, q @ places / safe, means)
        variance = (q * (places - means[:, None]) ** 2).sum(axis=1) / safe
        widths = np.maximum(np.sqrt(variance), 0.5)  # half a bin: no narrower than what bins can tell
    return means, widths
