"""Which sources cannot be told from Gaussian, at a level that allows for their having been searched for.

For s of mean 0 and variance 1 and a function G, D = E[G(s)] - E[G(ν)], ν Gaussian, is zero for a Gaussian source. With
R(ν) = G(ν) less its constant, linear and quadratic parts (mean and variance are fitted), D has variance E[R²] / n.
An unmixing picks directions of large |D| among all on the sphere of whitened space, so |D| √n / √E[R²] is compared not
with a normal quantile but with that of the largest value of a smooth Gaussian field on the sphere (expected Euler
characteristic; R. J. Adler & J. E. Taylor, Random Fields and Geometry, Springer 2007, chapter 12):

    P(max > u) ≈ Σ_j λ^(j/2) L_j(sphere) ρ_j(u),   λ = E[R'(ν)²] / E[R(ν)²].

Two functions are looked at, log cosh s (tails and peaks) and s exp(-s²/2) (skewness); neither listens to outliers.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from scipy.special import gammaln, ndtr

from unmix.algorithms.independent.whitening import unmixed
from unmix.core.blocks import RowBlocks

LEVEL = 0.01
FEW = 2**14  # numbers for which formulas of whole arrays do as well as compiled loops


class Null(NamedTuple):
    """Of one function of a Gaussian: mean, linear and quadratic part, variance and roughness λ of the rest."""

    mean: float
    linear: float
    quadratic: float
    variance: float
    roughness: float


def tails(s: np.ndarray) -> np.ndarray:
    """log cosh s = -½ log(1 - tanh² s), written so that large |s| are safe."""
    sizes = np.abs(s)
    return sizes + np.log1p(np.exp(-2 * sizes)) - np.log(2)


def lopsided(s: np.ndarray) -> np.ndarray:
    out: np.ndarray = s * np.exp(-0.5 * s * s)
    return out


FUNCTIONS = (tails, lopsided)


@cache
def null(which: int) -> Null:
    """By Gauss-Hermite quadrature."""
    points, weights = hermegauss(120)
    weights = weights / weights.sum()
    values = FUNCTIONS[which](points)
    slopes = np.tanh(points) if which == 0 else (1 - points**2) * np.exp(-0.5 * points**2)
    mean, linear = float(weights @ values), float(weights @ (values * points))
    quadratic = 0.5 * float(weights @ (values * (points**2 - 1)))
    rest = values - mean - linear * points - quadratic * (points**2 - 1)
    rest_slopes = slopes - linear - 2 * quadratic * points
    variance = float(weights @ rest**2)
    return Null(mean, linear, quadratic, variance, float(weights @ rest_slopes**2) / variance)


def tail_probability(u: np.ndarray, k: int, roughness: float) -> np.ndarray:
    """P(max over the unit sphere of R^k of |field| > u), bounded: the field is even or odd, so one sign is enough.

    In logarithms: a Hermite polynomial of degree 200 leaves the range of floats where the law of 200 sources needs it.
    """
    total: np.ndarray = (2.0 if k % 2 else 0.0) * ndtr(-u)  # j = 0, for spheres of even dimension
    area = np.log(2) + np.arange(1, k + 1) / 2 * np.log(np.pi) - gammaln(np.arange(1, k + 1) / 2)  # of spheres
    sign, size = log_hermite(u, k)
    for j in range(1 + k % 2, k, 2):
        pairs = gammaln(k) - gammaln(j + 1) - gammaln(k - j)
        curvature = np.log(2) + pairs + area[k - 1] - area[k - j - 1]
        density = size[j - 1] - (j + 1) / 2 * np.log(2 * np.pi) - 0.5 * u * u
        total = total + sign[j - 1] * np.exp(np.minimum(j / 2 * np.log(roughness) + curvature + density, 700.0))
    return total


def log_hermite(u: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Sign and log |He_j(u)|, j = 0 … n - 1, by He_{j+1} = u He_j - j He_{j-1}, rescaled at every step."""
    sign, size = np.ones((n, len(u))), np.zeros((n, len(u)))
    before, now, scale = np.zeros(len(u)), np.ones(len(u)), np.zeros(len(u))
    for j in range(1, n):
        before, now = now, u * now - (j - 1) * before
        largest = np.maximum(np.abs(before), np.abs(now))
        before, now, scale = before / largest, now / largest, scale + np.log(largest)
        sign[j], size[j] = np.sign(now), scale + np.log(np.maximum(np.abs(now), np.finfo(float).tiny))
    return sign, size


@cache
def critical_value(k: int, which: int) -> float:
    """The size that the largest of all directions of Gaussian rows exceeds with probability LEVEL."""
    from scipy.optimize import brentq

    share, roughness = LEVEL / len(FUNCTIONS), null(which).roughness
    # the last crossing counts: below it the terms alternate and the formula says nothing
    sizes = np.arange(0.0, 2 * np.sqrt(max(roughness, 1.0) * k) + 10.0, 0.1)
    last = int(np.flatnonzero(tail_probability(sizes, k, roughness) >= share)[-1])
    return float(brentq(lambda u: tail_probability(np.array([u]), k, roughness)[0] - share, *sizes[last : last + 2]))


class Sums(NamedTuple):
    """Σ w², and per function and source Σ w G(s), Σ R²; over whole runs of rows how many, Σ and Σ² of their sums of R.

    Rows that resemble their neighbours make sums over runs vary more than single rows do.
    """

    squared_weight: float
    values: np.ndarray
    single: np.ndarray
    runs: int
    first: np.ndarray
    second: np.ndarray


def sum_functions(block: Any, weights: Any, mean: np.ndarray, matrix: np.ndarray, length: int) -> Sums:
    s = unmixed(block, mean, matrix)
    w = np.ones(s.shape[1], s.dtype) if weights is None else weights.astype(s.dtype)
    sums = (sum_few if s.size <= FEW else sum_many)(s, w, length)
    return Sums(float(w @ w), sums[:, 0], sums[:, 1], s.shape[1] // length, sums[:, 2], sums[:, 3])


def sum_few(s: np.ndarray, w: np.ndarray, length: int) -> np.ndarray:
    """Per function Σ w G, and over whole runs Σ R², the sum of their Σ R, and of its squares, (2, 4, k)."""
    s, sums, whole = s.astype(np.float64), np.empty((2, 4, len(s))), s.shape[1] // length
    for which in range(2):
        law, values = null(which), FUNCTIONS[which](s)
        rest = (values - law.mean - law.linear * s - law.quadratic * (s * s - 1))[:, : whole * length]
        runs = rest.reshape(len(s), whole, length).sum(axis=2)
        sums[which] = values @ w.astype(np.float64), np.vecdot(rest, rest), runs.sum(axis=1), np.vecdot(runs, runs)
    return sums


def sum_many(s: np.ndarray, w: np.ndarray, length: int) -> np.ndarray:
    """As `sum_few`, compiled: without arrays as large as the rows for every step of the formulas."""
    from unmix.algorithms.independent.gaussianity_kernel import sum_runs
    from unmix.algorithms.independent.hyperbolic import constants, fill_bell, fill_log_cosh

    room, numbers, sums = np.empty_like(s), constants(s.dtype), np.empty((2, 4, len(s)))
    for which in range(2):
        if which == 0:
            fill_log_cosh(s.ravel(), room.ravel(), numbers)
        else:
            fill_bell(s.ravel(), room.ravel(), s.dtype.type(0.5), numbers)
            room *= s
        sum_runs(s, room, w, np.array(null(which)[:3], s.dtype), length, sums[which])
    return sums


def non_gaussianity(
    X: RowBlocks, mean: np.ndarray, matrix: np.ndarray, weights: np.ndarray | None, weight: float
) -> np.ndarray:
    """Per source the distance from Gaussian in units of what chance reaches: 1 and less may be chance.

    ``mean`` is that of the rows, and the sources matrix (x - mean) have variance 1.
    """
    n, k = X.shape[0], len(matrix)
    length = min(256, max(n // 32, 1))
    sums = X.reduce(sum_functions, mean, matrix, length, rows=weights)
    rows = float(n) if weights is None else weight**2 / sums.squared_weight
    distances = []
    for which in range(2):
        law = null(which)
        repeats = memory(sums, which, length) if weights is None and length >= 8 and sums.runs >= 16 else np.ones(k)
        deviation = np.abs(sums.values[which] / weight - law.mean) * np.sqrt(rows / (law.variance * repeats))
        distances.append(deviation / critical_value(k, which))
    out: np.ndarray = np.max(distances, axis=0)
    return out


def memory(sums: Sums, which: int, length: int) -> np.ndarray:
    """By how much neighbouring rows repeat each other: variance of a run's sum over that of as many single rows."""
    spread = sums.second[which] / sums.runs - (sums.first[which] / sums.runs) ** 2
    rows = sums.runs * length
    alone = sums.single[which] / rows - (sums.first[which] / rows) ** 2
    out: np.ndarray = np.maximum(spread / np.maximum(length * alone, np.finfo(float).tiny), 1.0)
    return out
