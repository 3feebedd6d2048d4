"""The parameters of a Gaussian mixture Σ_c π_c N(x; u_c, Σ_c), and the sums that an update of them needs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.costs.gaussian.covariance import log_determinant_of_whitening, whitening

WORST_CONDITION = 1e4  # of a covariance, for which float32 products still give three digits of its inverse


class Mixture(NamedTuple):
    weights: np.ndarray  # (k,)
    means: np.ndarray  # (k, d)
    covariances: np.ndarray  # (k, d, d), (1, d, d) or (k, d), as in covariance.py
    whitening: np.ndarray  # W with W Wᵀ = Σ⁻¹, or 1/σ
    log_constants: np.ndarray  # (k,)  log π_c N(u_c; u_c, Σ_c)
    precise: bool  # whether only float64 will do


class Stats(NamedTuple):
    """Sums about the means of the mixture that q was found with, so that nothing cancels."""

    mass: np.ndarray  # (k,)  Σ_i q_ic
    observed: np.ndarray | None  # (k, d)  the same over rows that have the entry; axis-parallel families only
    first: np.ndarray  # (k, d)  Σ_i q_ic (x_i - u_c)
    second: np.ndarray | None  # Σ_i q_ic (x_i - u_c)(x_i - u_c)ᵀ, or its diagonal, in the shape of the covariances


def make_mixture(
    weights: np.ndarray, means: np.ndarray, covariances: np.ndarray, W: np.ndarray | None = None, precise: bool = False
) -> Mixture:
    W = whitening(covariances) if W is None else W
    precise = precise or worst_condition(W, covariances) > WORST_CONDITION
    return Mixture(weights, means, covariances, W, log_constants(weights, W), precise)


def heaviest_first(mixture: Mixture) -> Mixture:
    """The components by weight, equally heavy ones by the coordinates of their means."""
    order = np.lexsort((*mixture.means.T[::-1], -mixture.weights))
    own = {name: part[order] for name, part in mixture._asdict().items() if np.ndim(part) and len(part) == len(order)}
    return mixture._replace(**own)


def worst_condition(W: np.ndarray, covariances: np.ndarray) -> float:
    """The size of the worst condition number of a covariance, as tr(Σ⁻¹) tr(Σ) / d."""
    if W.ndim == 2:
        return 1.0  # along axes nothing mixes columns
    norms = np.square(W).sum((1, 2)) * np.trace(covariances, axis1=1, axis2=2)
    return float(norms.max()) / W.shape[1]


def log_constants(weights: np.ndarray, W: np.ndarray) -> np.ndarray:
    """log π_c + log |Σ_c|^(-1/2) - d/2 log 2π; minus infinity for a component of no weight."""
    with np.errstate(divide="ignore"):
        log_weights = np.log(weights)
    return np.asarray(log_weights + log_determinant_of_whitening(W) - W.shape[1] / 2 * np.log(2 * np.pi))
