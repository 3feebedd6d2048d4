"""Probabilistic PCA with missing values, by EM over row blocks.

    maximise Σ_i w_i log N(x_io; mean_o, W_o W_oᵀ + σ² I)   over W, mean, σ²   (o: what was observed of row i)

E-step: latents of every row given what was observed of it.  M-step: each column is regressed on the latents (with a
constant, over the rows that have it), σ² is the mean squared error of that.  The latents' own mean and covariance
are then absorbed into mean and W (parameter expansion: same likelihood, fewer iterations).  Every iteration raises
the likelihood.  Cost: n d k² operations an iteration; statistics are d (k+1)² numbers, whatever n.

References: Tipping & Bishop, JRSS B 61, 1999; Liu, Rubin & Wu, Biometrika 85, 1998; Ilin & Raiko, JMLR 11, 2010.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.principal.krylov import leading_by_products
from unmix.algorithms.principal.latent_gaussian import LatentGaussian, chunks, pairs, posterior, unpack
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate

FLOOR = 1e-10  # the noise variance stays above this share of the mean variance of a column


class State(NamedTuple):
    iteration: int
    done: bool
    model: LatentGaussian
    log_likelihood: float  # of the model before the last step


class Statistics(NamedTuple):
    """Sums over rows of latent products, by column; ``latents`` over all rows alike."""

    products: np.ndarray  # (d, (k+1)(k+2)/2)
    cross: np.ndarray  # (d, k+1)
    squares: float
    latents: np.ndarray
    log_likelihood: float


class Observed(NamedTuple):
    """Per column: weight, sum and sum of squares of what was observed about a shift."""

    weight: np.ndarray
    total: np.ndarray
    squares: np.ndarray


def fit_with_missing(
    X: RowBlocks, k: int, *, weights: np.ndarray | None, scale: float, max_iter: int, tol: float, seed: int
) -> tuple[LatentGaussian, State]:
    """The model of ``scale * X``; stops when the log-likelihood per observed entry rises by less than ``tol``.

    A table that does not vary has neither loadings nor noise, and no likelihood.
    """
    mean, variance, n_observed = observed_moments(X, weights, scale)
    if not variance.any():
        constant = LatentGaussian(np.zeros((X.shape[1], k)), mean, 0.0)
        return constant, State(0, True, constant, np.inf)
    first = State(0, False, start(X, k, mean, variance, weights, scale, seed), -np.inf)
    floor = FLOOR * max(float(variance.mean()), np.finfo(float).tiny)

    def advance(state: State) -> tuple[State, dict[str, float]]:
        statistics = X.reduce(expectation, state.model, scale, rows=weights)
        gain = (statistics.log_likelihood - state.log_likelihood) / n_observed
        model = maximise(statistics, state.model, n_observed, floor)
        new = State(state.iteration + 1, gain < tol, model, statistics.log_likelihood)
        return new, {"log_likelihood": statistics.log_likelihood / n_observed + np.log(scale)}  # of X itself

    last = iterate(advance, first, max_iter=max_iter, name="expectation")
    return last.model, last


def expectation(block: Any, weights: np.ndarray | None, model: LatentGaussian, scale: float) -> Statistics:
    d, k = model.loadings.shape
    size = (k + 1) * (k + 2) // 2
    products, cross, latents = np.zeros((d, size)), np.zeros((d, k + 1)), np.zeros(size)
    squares = log_likelihood = 0.0
    for part in chunks(len(block), model):
        found = posterior(block[part].astype(np.float64) * scale, model)
        weight = np.ones(len(found.means)) if weights is None else weights[part]
        extended = np.concatenate([found.means, np.ones((len(weight), 1))], axis=1)
        packed = pairs(extended)
        packed[:, inner(k)] += model.noise * found.inverses[(slice(None), *np.triu_indices(k))]
        packed *= weight[:, None]
        products += found.observed.T.astype(np.float64) @ packed
        cross += found.deviations.T @ (weight[:, None] * extended)
        latents += packed.sum(axis=0)
        squares += float(weight @ (found.deviations**2).sum(axis=1))
        log_likelihood += float(weight @ found.log_likelihood)
    return Statistics(products, cross, squares, latents, log_likelihood)


def inner(k: int) -> np.ndarray:
    """Where, among the pairs of k+1 entries, those of the first k stand."""
    i, j = np.triu_indices(k + 1)
    return np.flatnonzero((i < k) & (j < k))


def maximise(statistics: Statistics, model: LatentGaussian, n_observed: float, floor: float) -> LatentGaussian:
    k = model.loadings.shape[1]
    products = unpack(statistics.products, k + 1)
    jitter = 1e-14 * np.trace(products, axis1=1, axis2=2)
    products[:, np.arange(k + 1), np.arange(k + 1)] += jitter[:, None]
    slopes = np.linalg.solve(products, statistics.cross[:, :, None])[:, :, 0]
    noise = max((statistics.squares - float((slopes * statistics.cross).sum())) / n_observed, floor)
    latents = unpack(statistics.latents[None], k + 1)[0]
    centre, spread = latents[:k, k] / latents[k, k], latents[:k, :k] / latents[k, k]
    root = np.linalg.cholesky(spread - np.outer(centre, centre) + 1e-14 * np.trace(spread) * np.eye(k))
    mean = model.mean + slopes[:, k] + slopes[:, :k] @ centre
    return LatentGaussian(slopes[:, :k] @ root, mean, noise)


def observed_moments(X: RowBlocks, weights: np.ndarray | None, scale: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Mean and variance of each column over its observed entries, and their total weight."""
    sums = X.reduce(observed_sums, np.zeros(X.shape[1]), scale, rows=weights)
    empty = np.flatnonzero(sums.weight == 0)
    if len(empty):
        named = ", ".join(str(column) for column in empty[:5]) + (", …" if len(empty) > 5 else "")
        raise ValueError(f"column {named} holds no observed value; drop it before the fit")
    mean = sums.total / sums.weight
    sums = X.reduce(observed_sums, mean, scale, rows=weights)
    variance = np.maximum(sums.squares / sums.weight - (sums.total / sums.weight) ** 2, 0.0)
    variance[variance <= (8 * np.finfo(float).eps * mean) ** 2] = 0.0  # what rounding of the mean leaves
    return mean + sums.total / sums.weight, variance, float(sums.weight.sum())


def observed_sums(block: Any, weights: np.ndarray | None, shift: np.ndarray, scale: float) -> Observed:
    rows = block.astype(np.float64) * scale - shift
    observed = (~np.isnan(rows)).astype(np.float64)
    rows = np.nan_to_num(rows, nan=0.0)
    weight = np.ones(len(rows)) if weights is None else weights
    return Observed(weight @ observed, weight @ rows, weight @ rows**2)


def start(
    X: RowBlocks,
    k: int,
    mean: np.ndarray,
    variance: np.ndarray,
    weights: np.ndarray | None,
    scale: float,
    seed: int,
) -> LatentGaussian:
    """The closed form on gaps filled by column means; on complete data that is the answer."""
    d = X.shape[1]
    if k == 0:
        return LatentGaussian(np.zeros((d, 0)), mean, max(float(variance.mean()), np.finfo(float).tiny))
    weight = float(X.shape[0] if weights is None else weights.sum())

    def product(rows: np.ndarray) -> np.ndarray:
        image: np.ndarray = X.reduce(filled_product, rows, mean, scale, rows=weights)[0]
        return image / weight

    values, vectors, _ = leading_by_products(product, d, k, tol=1e-3, max_iter=8, seed=seed)
    total = float(variance.sum())
    left = max(total - float(values.sum()), 1e-3 * total, np.finfo(float).tiny)
    noise = left / max(d - k, 1)
    return LatentGaussian(vectors.T * np.sqrt(np.maximum(values - noise, 0.01 * noise)), mean, noise)


class Image(NamedTuple):
    rows: np.ndarray


def filled_product(
    block: Any, weights: np.ndarray | None, vectors: np.ndarray, mean: np.ndarray, scale: float
) -> Image:
    rows = np.nan_to_num(block.astype(np.float64) * scale - mean, nan=0.0)
    codes = rows @ vectors.T
    return Image((codes if weights is None else codes * weights[:, None]).T @ rows)
