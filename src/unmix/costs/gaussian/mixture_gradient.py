"""The log-likelihood of a Gaussian mixture climbed along its gradient, in coordinates that suit each component.

    π ∝ π exp(l),   u' = u + a W⁻¹,   Σ' = W⁻ᵀ exp(S) W⁻¹      with W Wᵀ = Σ⁻¹ and l, a, S zero at the mixture

For rows of total mass 1, z = (x - u) W and shares q, the gradient of their mean log-density is

    ∂l_c = q̄_c - π_c,   ∂a_c = Σ q z,   ∂S_c = ½ Σ q (zzᵀ - I)

(Fisher's identity; entries that are missing enter with their conditional moments). Divided by the information that
a row of known component has on them, π_c, π_c and π_c / 2, it needs no units: a rate of 1 is about a step of EM.
References: Amari, Natural gradient works efficiently in learning, Neural Computation 10 (1998); Hosseini & Sra, An
alternative to EM for Gaussian mixture models, Mathematical Programming 181 (2020).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import Family, Spherical
from unmix.costs.gaussian.mixture import Mixture, Stats, make_mixture

LONGEST = 1.0  # a step changes no weight and no variance by a factor above e


class Direction(NamedTuple):
    logits: np.ndarray  # (k,)
    shift: np.ndarray  # (k, d)
    log_covariance: np.ndarray | None  # in the shape of the covariances; None where they are given


def gradient(mixture: Mixture, family: Family, stats: Stats) -> Direction:
    """Of the mean log-density of a batch, from its statistics about the mixture's means per unit of mass."""
    W, mass = mixture.whitening, stats.mass
    logits = mass - mixture.weights
    if family.axis:
        assert stats.second is not None
        away = 0.5 * (stats.second * W**2 - stats.observed)
        if isinstance(family, Spherical):  # all its columns have one variance
            away = np.broadcast_to(away.sum(1, keepdims=True), away.shape)
        return Direction(logits, stats.first * W, away)
    shift = np.einsum("ci,cij->cj", stats.first, np.broadcast_to(W, (len(mass), *W.shape[1:])))
    if stats.second is None:
        return Direction(logits, shift, None)
    held = np.array([mass.sum()]) if family.shared else mass
    square = W.transpose(0, 2, 1) @ stats.second @ W
    return Direction(logits, shift, 0.5 * (square - held[:, None, None] * np.eye(W.shape[1])))


def climb(cost: Gaussian, mixture: Mixture, batch: Stats, rate: float) -> Mixture:
    """One step along the gradient over the information; no mean goes further than EM on the batch would take it."""
    family, weights = cost.family, np.where(mixture.weights > 0, mixture.weights, 1.0)
    slope = gradient(mixture, family, batch)
    pace = np.minimum(rate / weights, 1 / np.maximum(batch.mass, np.finfo(float).tiny))
    shape, own = slope.log_covariance, (-1,) + (1,) * (mixture.covariances.ndim - 1)
    if shape is not None:
        columns = mixture.means.shape[1] if isinstance(family, Spherical) else 1
        shape = 2 / columns * shape * (np.array(rate) if family.shared else pace).reshape(own)
    bent = Direction(np.clip(rate * slope.logits / weights, -LONGEST, LONGEST), slope.shift * pace[:, None], shape)
    return moved(cost, mixture, bent)


def moved(cost: Gaussian, mixture: Mixture, to: Direction) -> Mixture:
    """The mixture at these coordinates, with variances above the floor."""
    weights = mixture.weights * np.exp(to.logits)
    if cost.family.axis:
        assert to.log_covariance is not None
        means = mixture.means + to.shift / mixture.whitening
        covariances = mixture.covariances * np.exp(np.clip(to.log_covariance, -LONGEST, LONGEST))
        mass = np.ones_like(covariances)
    else:
        inverse, mass = np.linalg.inv(mixture.whitening), np.ones((len(mixture.covariances), 1, 1))
        each = np.broadcast_to(inverse, (len(weights), *inverse.shape[1:]))
        means = mixture.means + np.einsum("ci,cij->cj", to.shift, each)
        if to.log_covariance is None:
            return make_mixture(weights / weights.sum(), means, mixture.covariances)
        values, vectors = np.linalg.eigh(to.log_covariance)
        grown = (vectors * np.exp(np.clip(values, -LONGEST, LONGEST))[:, None, :]) @ vectors.transpose(0, 2, 1)
        covariances = inverse.transpose(0, 2, 1) @ grown @ inverse
    return make_mixture(weights / weights.sum(), means, cost.family.estimate(mass, covariances, cost.floor))
