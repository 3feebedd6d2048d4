"""Groups of rows, each with linear factors of its own: Σ_c π_c N(x; u_c, W_c W_cᵀ + Ψ_c), by EM, gaps left out exactly.

One group is factor analysis, no factor a mixture with independent columns inside groups, neither independent columns.
Ghahramani and Hinton (1996), The EM algorithm for mixtures of factor analyzers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.validation.bits.group_mixture import MOST_ITERATIONS, PRIOR_ROWS, TOLERANCE
from unmix.validation.bits.low_rank import Cells, Codes, Normal, codes_of, log_sum, regress, with_one


class FactorMixture(NamedTuple):
    weights: np.ndarray
    laws: tuple[Normal, ...]


def log_density(model: FactorMixture, cells: Cells) -> np.ndarray:
    return log_sum(
        np.stack([np.log(w) + codes_of(cells, law).log_density for w, law in zip(model.weights, model.laws)])
    )


def fit_factor_mixture(
    cells: Cells,
    shares: np.ndarray,
    n_factors: int,
    least: np.ndarray,
    iterations: int = MOST_ITERATIONS,
    common: bool = False,
) -> tuple[FactorMixture, np.ndarray, float]:
    """EM from shares (K, n) of the rows; returns the model, the shares and the mean log-density of a row.

    Groups have factors and noise of their own, or all of them in `common`, and then differ in their means alone.
    """
    laws = tuple(_start(cells, q, n_factors, least) for q in shares)
    model = FactorMixture(shares.mean(axis=1), _shared(laws, shares) if common else laws)
    before = -np.inf
    for _ in range(iterations):
        codes = [codes_of(cells, law) for law in model.laws]
        parts = np.stack([np.log(w) + c.log_density for w, c in zip(model.weights, codes)])
        total = log_sum(parts)
        shares = np.exp(parts - total)
        reached = float(total.mean())
        if reached - before < TOLERANCE:
            break
        before = reached
        if common:
            laws = _common_laws(cells, shares, codes, least)
        else:
            noise = np.average([law.noise for law in model.laws], axis=0, weights=model.weights)
            laws = tuple(_law(cells, q, *with_one(c), least, noise) for q, c in zip(shares, codes))
        model = FactorMixture(np.maximum(shares.mean(axis=1), 1e-12), laws)
    return model, shares, reached


def _law(
    cells: Cells, shares: np.ndarray, first: np.ndarray, second: np.ndarray, least: np.ndarray, noise: np.ndarray
) -> Normal:
    """The law of a group; its noise is that of its rows and of two more with the mean noise of all groups."""
    coefficients, variance = regress(cells, shares, first, second, (PRIOR_ROWS, noise))
    return Normal(coefficients[:, -1], coefficients[:, :-1], np.maximum(variance, least))


def _common_laws(cells: Cells, shares: np.ndarray, codes: list[Codes], least: np.ndarray) -> tuple[Normal, ...]:
    """One regression on the codes and on which group a row is of: the coefficients of the groups are their means."""
    (K, n), k = shares.shape, codes[0].mean.shape[1]
    first, second = np.zeros((n, k + K)), np.zeros((n, k + K, k + K))
    for c, (q, code) in enumerate(zip(shares, codes)):
        one, two = (q[:, None] * moment.reshape(n, -1) for moment in with_one(code))
        place = np.append(np.arange(k), k + c)
        first[:, place] += one
        second[:, place[:, None], place] += two.reshape(n, k + 1, k + 1)
    table, variance = regress(cells, np.ones(n), first, second, (0.0, least))
    return tuple(Normal(table[:, k + c], table[:, :k], np.maximum(variance, least)) for c in range(K))


def _shared(laws: tuple[Normal, ...], shares: np.ndarray) -> tuple[Normal, ...]:
    """Factors of the heaviest group, and the mean noise, for all."""
    weights = shares.mean(axis=1)
    noise = np.average([law.noise for law in laws], axis=0, weights=weights)
    return tuple(Normal(law.mean, laws[int(weights.argmax())].directions, noise) for law in laws)


def _start(cells: Cells, shares: np.ndarray, n_factors: int, least: np.ndarray) -> Normal:
    """Principal directions of the rows of a group, with gaps at its mean."""
    ones = np.ones((len(shares), 1))
    law = _law(cells, shares, ones, ones[:, :, None], least, np.ones(cells.values.shape[1]))
    if n_factors == 0:
        return law
    away = (cells.values - law.mean) * cells.seen * np.sqrt(shares / (shares.sum() + PRIOR_ROWS))[:, None]
    spread = np.sqrt(law.noise)
    values, vectors = np.linalg.eigh((away / spread).T @ (away / spread))
    rest = max(float(values[:-n_factors].mean()) if n_factors < len(values) else 0.0, 0.05)
    top = np.sqrt(np.maximum(values[-n_factors:] - rest, 0.01))
    return Normal(law.mean, spread[:, None] * vectors[:, -n_factors:] * top, np.maximum(law.noise * rest, least))
