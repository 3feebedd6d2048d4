"""Parts that a row has or lacks: x = u₀ + Σ_s c_s u_s + noise, c_s = 0 or N(m_s, v_s), over all sets of parts, by EM.

Given the set of its parts a row is normal with few directions, so that its density is a sum over the 2^k sets, exactly.
In a table without negative numbers the parts have none either, and start from those of NMF; else from turned factors.
A prior with a mass at zero is that of sparse factor analysis: Attias (1999), Independent factor analysis.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from unmix.core.warning_filters import without_warnings
from unmix.decomposition import NMF
from unmix.validation.bits.choice import Choice, Lesson, along, independent
from unmix.validation.bits.factor_mixture import fit_factor_mixture
from unmix.validation.bits.low_rank import Cells, Normal, codes_of, log_sum, regress
from unmix.validation.bits.scales import Scale

MOST_PARTS = 4
ITERATIONS = 40
TOLERANCE = 3e-4
FIRST_SHARE = 0.4  # of rows that have a part, at the start


class Parts(NamedTuple):
    """Parts (d, k), base and noise (d,); of each part the share of rows that have it, mean and variance of its code."""

    U: np.ndarray
    base: np.ndarray
    noise: np.ndarray
    share: np.ndarray
    mean: np.ndarray
    variance: np.ndarray


class Sums(NamedTuple):
    """Log-density of rows, moments of (c, 1), and the probability of having each part (n, k)."""

    log_density: np.ndarray
    first: np.ndarray
    second: np.ndarray
    has: np.ndarray


def parts(lesson: Lesson, raw: Scale | None) -> Choice:
    """`raw` is the scale of a table without negative numbers, which keeps its zero; parts add up on no bent scale."""
    first = independent(lesson)
    d = lesson.scales.scales[0].cells.values.shape[1]
    sizes = [(k,) for k in range(1, min(MOST_PARTS, max(1, d // 2)) + 1)]
    scale = raw or lesson.scales.scales[-1]
    return along(lesson, scale, sizes, made_of_parts, first)


def made_of_parts(scale: Scale, size: tuple[int, ...], rows: np.ndarray, seed: int) -> np.ndarray:
    """Log-densities of all rows under the parts of some."""
    cells, non_negative = scale.cells.take(rows), scale.name == "raw"
    model = _from_nmf(cells, size[0], seed) if non_negative else _from_factors(cells, size[0], scale.least)
    before = -np.inf
    for _ in range(ITERATIONS):
        sums = _expect(model, cells)
        reached = float(sums.log_density.mean())
        if reached - before < TOLERANCE:
            break
        before = reached
        model = _update(cells, sums, scale.least, non_negative)
    return _log_density(model, scale.cells)


def _sets(k: int) -> np.ndarray:
    return (np.arange(2**k)[:, None] >> np.arange(k)) % 2 == 1


def _law(model: Parts, on: np.ndarray) -> tuple[float, Normal]:
    """Log-probability of a set of parts, and the law of rows that have it."""
    U, spread = model.U[:, on], np.sqrt(model.variance[on])
    chance = np.log(np.where(on, model.share, 1 - model.share)).sum()
    return float(chance), Normal(model.base + U @ model.mean[on], U * spread, model.noise)


def _log_density(model: Parts, cells: Cells) -> np.ndarray:
    laws = [_law(model, on) for on in _sets(len(model.share))]
    return log_sum(np.stack([chance + codes_of(cells, law).log_density for chance, law in laws]))


def _expect(model: Parts, cells: Cells) -> Sums:
    sets, k = _sets(len(model.share)), len(model.share)
    laws = [_law(model, on) for on in sets]
    codes = [codes_of(cells, law) for _, law in laws]
    logs = np.stack([chance + code.log_density for (chance, _), code in zip(laws, codes)])
    total = log_sum(logs)
    n = len(total)
    first, second, has = np.zeros((n, k + 1)), np.zeros((n, k + 1, k + 1)), np.zeros((n, k))
    for on, code, q in zip(sets, codes, np.exp(logs - total)):
        spread, place = np.sqrt(model.variance[on]), np.flatnonzero(np.append(on, True))
        c = np.column_stack([model.mean[on] + code.mean * spread, np.ones(n)])
        square = c[:, :, None] * c[:, None, :]
        square[:, :-1, :-1] += code.covariance * np.outer(spread, spread)
        first[:, place] += q[:, None] * c
        second[:, place[:, None], place] += q[:, None, None] * square
        has[:, on] += q[:, None]
    return Sums(total, first, second, has)


def _update(cells: Cells, sums: Sums, least: np.ndarray, non_negative: bool) -> Parts:
    n = len(sums.first)
    table, noise = regress(cells, np.ones(n), sums.first, sums.second, (0.0, least), non_negative)
    mass = np.maximum(sums.has.sum(axis=0), 1.0)
    mean = sums.first[:, :-1].sum(axis=0) / mass
    square = np.einsum("iss->s", sums.second)[:-1] / mass
    share = np.clip(mass / n, 1.0 / n, 1 - 1.0 / n)
    return Parts(table[:, :-1], table[:, -1], np.maximum(noise, least), share, mean, np.maximum(square - mean**2, 1e-4))


def _from_factors(cells: Cells, k: int, least: np.ndarray) -> Parts:
    model, _, _ = fit_factor_mixture(cells, np.ones((1, len(cells.values))), k, least)
    law, ones = model.laws[0], np.ones(k)
    U = varimax(law.directions) / np.sqrt(FIRST_SHARE)
    return Parts(U, law.mean, law.noise, FIRST_SHARE * ones, 0 * ones, ones)


def _from_nmf(cells: Cells, k: int, seed: int) -> Parts:
    X = np.maximum(cells.values, 0.0)
    model = NMF(k, random_state=seed, max_iter=100, tol=1e-3)
    with without_warnings(ConvergenceWarning):
        Z = np.asarray(model.fit_transform(X))
    scale = np.maximum(Z.mean(axis=0), 1e-9)
    Z, U = Z / scale, np.asarray(model.components_).T * scale
    has = Z > 0.3
    mass = np.maximum(has.sum(axis=0), 1)
    mean = (Z * has).sum(axis=0) / mass
    variance = np.maximum(((Z - mean) ** 2 * has).sum(axis=0) / mass, 0.01)
    noise = np.maximum(((X - Z @ U.T) ** 2).mean(axis=0), 0.01)
    return Parts(U, np.zeros(len(U)), noise, np.clip(has.mean(axis=0), 0.05, 0.95), mean, variance)


def varimax(W: np.ndarray, iterations: int = 50) -> np.ndarray:
    """The rotation of directions whose squared entries vary most: Kaiser (1958)."""
    turn = np.eye(W.shape[1])
    for _ in range(iterations):
        L = W @ turn
        left, _, right = np.linalg.svd(W.T @ (L**3 - L * (L**2).mean(axis=0)))
        turn = left @ right
    return W @ turn
