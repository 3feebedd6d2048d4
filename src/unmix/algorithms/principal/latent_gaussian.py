"""Rows explained by a few Gaussian latents, where any entries may be missing.

    x = W z + mean + noise,   z ~ N(0, I_k),   noise ~ N(0, σ² I_d).

Of a row only its observed entries o count, and they are Gaussian with covariance W_o W_oᵀ + σ² I.  With
M = W_oᵀ W_o + σ² I (k×k) and b = W_oᵀ (x - mean)_o:

    z | x_o ~ N(M⁻¹ b, σ² M⁻¹),
    log det = (|o| - k) log σ² + log det M,   (x - mean)_oᵀ C⁻¹ (x - mean)_o = (||(x - mean)_o||² - bᵀ M⁻¹ b) / σ².

Reference: Tipping & Bishop, Journal of the Royal Statistical Society B 61, 1999.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

ENTRIES = 2**20  # of the largest intermediate array


class LatentGaussian(NamedTuple):
    loadings: np.ndarray  # W, (d, k)
    mean: np.ndarray
    noise: float  # σ²


class Posterior(NamedTuple):
    """Of some rows: observed deviations (0 where missing), mask, latent means, M⁻¹ per row, log-likelihoods."""

    deviations: np.ndarray
    observed: np.ndarray
    means: np.ndarray
    inverses: np.ndarray
    log_likelihood: np.ndarray


def chunks(n_rows: int, model: LatentGaussian) -> Iterator[slice]:
    """Ranges of rows whose k×k matrices fit into a small workspace."""
    d, k = model.loadings.shape
    size = max(16, ENTRIES // max((k + 1) ** 2, d))
    return (slice(start, start + size) for start in range(0, n_rows, size))


def posterior(rows: np.ndarray, model: LatentGaussian) -> Posterior:
    """Latents of rows that hold NaN where nothing was observed; rows with the same gaps share their matrices."""
    loadings, mean, noise = model
    k = loadings.shape[1]
    observed = ~np.isnan(rows)
    deviations = np.where(observed, rows - mean, 0.0)
    patterns, which = np.unique(observed, axis=0, return_inverse=True)
    matrices = unpack(patterns.astype(np.float64) @ pairs(loadings), k)
    matrices[:, np.arange(k), np.arange(k)] += noise
    inverses = np.linalg.inv(matrices)
    log_det = np.linalg.slogdet(matrices)[1] + (patterns.sum(axis=1) - k) * np.log(noise)
    which = which.reshape(-1)
    b = deviations @ loadings
    means = (inverses[which] @ b[:, :, None])[:, :, 0]
    # ||r - W z||² + σ² ||z||² is the same number as ||r||² - b·z, and does not cancel
    misfit = np.where(observed, deviations - means @ loadings.T, 0.0)
    with np.errstate(over="ignore"):  # the density of a row very far out is 0
        distance = np.einsum("ij,ij->i", misfit, misfit) / noise + np.einsum("ij,ij->i", means, means)
    size = observed.sum(axis=1)
    log_likelihood = -0.5 * (size * np.log(2 * np.pi) + log_det[which] + distance)
    return Posterior(deviations, observed, means, inverses[which], log_likelihood)


def pairs(vectors: np.ndarray) -> np.ndarray:
    """Products of every two entries of each row, each pair once."""
    i, j = _pairs_of(vectors.shape[1])
    out: np.ndarray = np.take(vectors, i, axis=1)
    out *= np.take(vectors, j, axis=1)
    return out


def unpack(packed: np.ndarray, k: int) -> np.ndarray:
    """Symmetric k×k matrices from their pairs."""
    return np.take(packed, _places(k), axis=1).reshape(len(packed), k, k)


@lru_cache(maxsize=16)
def _pairs_of(k: int) -> tuple[np.ndarray, np.ndarray]:
    """Asked for by every few hundred rows of every pass."""
    return np.triu_indices(k)


@lru_cache(maxsize=16)
def _places(k: int) -> np.ndarray:
    """Where each entry of a symmetric matrix stands among its pairs."""
    place, (i, j) = np.empty((k, k), dtype=np.intp), _pairs_of(k)
    place[i, j] = place[j, i] = np.arange(len(i))
    return place.ravel()
