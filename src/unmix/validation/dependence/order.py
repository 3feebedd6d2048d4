"""Do rows depend on their neighbours along an order, as in time series and panels of repeated units?

r(l) = mean over columns and rows of z_i z_{i+l},   z the normal scores of the ranks of a column,   l = 1 … 7

Rows are shuffled within blocks of ten that follow each other. Groups that stand one after the other in a sorted table
are alike as well, but within a block their order says nothing; a walk, a season or a unit's own rows are nearer to the
next row than to the others of their block. So r(l) is compared with what it is after such shuffles. A column by which
the table is sorted is left out: being in order is not dependence.

Rows that are no nearer to the next than to others of their block are no series, however like the one after it they are:
groups may have been written in turn (man, woman, man, woman).

Columns may differ: of a price and its volume one is a walk and the other no series at all, and the mean of both would
be that of neither. Where some columns, each by itself, depend on their neighbours over long ways and others do not, the
first are asked alone. Those that stay as they are, or nearly always go one way, are not among them: rows may have been
put in the order of such columns, if only within groups.

Where neighbours go together little more than rows of their block, and only the nearest, the dependence is that of
x_i = φ x_{i-1} + noise, with the φ that has the same r(1) beyond shuffled blocks; what is alike over longer ways may be
sorted groups. Else it is that of the whole order.

n_effective = n / τ,   τ = (1 + φ) / (1 - φ),   or 1 + 2 Σ_l r(l) up to the first r(l) ≤ 0      (Geyer 1992)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from unmix.core.random import spawn

LAGS = 7
BLOCK = 10  # rows within which the order is shuffled
N_SHUFFLES = 49
FEWEST_ROWS = 30
SORTED_SHARE = 0.97  # of the steps of a column go the same way: the table is sorted by it
LEVEL = 1e-3  # chance of taking independent rows for dependent ones
LEAST_EXCESS = 0.08  # of the way from the correlation of shuffled blocks to 1; less changes no evidence
SHORT = 0.45  # of that way: up to here dependence may be of neighbours alone
ALL_BUT_EQUAL = 0.9  # r(1) of a column that by itself is a series over long ways
ONE_WAY, LEAST_STEPS = 0.8, 0.5  # of the steps of a column most go one way; of its rows at least so many are steps


class OrderDependence(NamedTuple):
    """How much rows go along with their neighbours, and how many independent rows they are worth."""

    correlation: float  # r(lag)
    lag: int  # at which rows exceed shuffled blocks most clearly
    p_value: float  # of that, by the spread of shuffled blocks, for all lags together
    dependent: bool
    coefficient: float | None  # φ, where only neighbours depend on each other
    block_length: int  # rows that belong together
    n_effective: float


def order_dependence(X: np.ndarray, seed: int = 0, block: int = BLOCK) -> OrderDependence:
    """Compare rows with their neighbours in the order they stand in.

    Parameters
    ----------
    X : rows in the order to be looked at, (n, d), without gaps
    seed : int, default=0
        Of the shuffles.
    block : int, default=10
        How many rows that follow each other are shuffled together; n where their order is known to mean something.

    Returns
    -------
    OrderDependence

    Examples
    --------
    >>> steps = np.random.default_rng(0).normal(size=(200, 2))
    >>> order_dependence(steps).dependent, order_dependence(steps.cumsum(axis=0)).dependent
    (False, True)
    """
    n = len(X)
    Z = normal_scores(np.asarray(X, dtype=np.float64))
    if n < FEWEST_ROWS or not Z.shape[1]:
        return OrderDependence(0.0, 1, 1.0, False, None, 1, float(n))
    rng = spawn(seed, 20)
    by_column = _lagged_columns(Z)
    shuffled = np.array([_lagged_columns(Z[_shuffle(n, block, rng)]) for _ in range(N_SHUFFLES)])
    long = _follow_long(by_column, shuffled) & _wander(Z)
    if long.any() and not long.all():
        some = _dependence(Z[:, long], by_column[:, long].mean(axis=1), shuffled[:, :, long].mean(axis=2), len(long))
        if some.dependent:
            return some
    return _dependence(Z, by_column.mean(axis=1), shuffled.mean(axis=2))


def _dependence(Z: np.ndarray, seen: np.ndarray, shuffled: np.ndarray, n_tried: int = 1) -> OrderDependence:
    """From r(1) … r(LAGS) of the rows as they stand, and of shuffles."""
    n = len(Z)
    usual, spread = shuffled.mean(axis=0), shuffled.std(axis=0, ddof=1)
    clear, excess = (seen - usual) / np.maximum(spread, 1e-12), (seen - usual) / np.maximum(1 - usual, 1e-12)
    lag = int(np.argmax(np.abs(clear)))
    p = min(1.0, 2 * LAGS * n_tried * float(ndtr(-np.abs(clear[lag]))))
    if p >= LEVEL or abs(excess[lag]) < LEAST_EXCESS or excess[0] < LEAST_EXCESS:
        return OrderDependence(float(seen[lag]), lag + 1, p, False, None, 1, float(n))
    coefficient = coefficient_of(excess[0]) if lag == 0 and 0 < excess[0] < SHORT else None
    time = correlation_time(Z) if coefficient is None else (1 + coefficient) / (1 - coefficient)
    together = int(np.clip(np.ceil(time), 1, n // 10))
    return OrderDependence(float(seen[lag]), lag + 1, p, True, coefficient, together, n / time)


def _follow_long(seen: np.ndarray, shuffled: np.ndarray) -> np.ndarray:
    """Of each column, whether neighbours are all but equal, and shuffled blocks much less so."""
    usual, spread = shuffled.mean(axis=0)[0], shuffled.std(axis=0, ddof=1)[0]
    clear = ndtr((usual - seen[0]) / np.maximum(spread, 1e-12)) * len(usual) < LEVEL
    return np.asarray(clear & (seen[0] >= ALL_BUT_EQUAL) & (seen[0] - usual >= SHORT * (1 - usual)))


def _wander(Z: np.ndarray) -> np.ndarray:
    """Of each column, whether it moves at most rows, and both up and down."""
    up, down = (np.diff(Z, axis=0) > 0).mean(axis=0), (np.diff(Z, axis=0) < 0).mean(axis=0)
    return (up + down >= LEAST_STEPS) & (np.maximum(up, down) < ONE_WAY * (up + down))


def coefficient_of(excess: float) -> float:
    """φ of x_i = φ x_{i-1} + noise whose neighbours exceed the rows of a block as much."""
    from scipy.optimize import brentq

    lags = np.arange(1, BLOCK)

    def difference(coefficient: float) -> float:
        usual = float((BLOCK - lags) @ coefficient**lags) * 2 / (BLOCK * (BLOCK - 1))
        return (coefficient - usual) / (1 - usual) - excess

    return float(brentq(difference, 0.0, 0.99))


def normal_scores(X: np.ndarray) -> np.ndarray:
    """Ranks of each column as quantiles of the normal law, of unit variance; constant and sorted columns left out."""
    columns = [column for column in X.T if column.min() < column.max() and not is_sorted(column)]
    if not columns:
        return np.empty((len(X), 0))
    Z = ndtri((np.column_stack([mean_ranks(column) for column in columns]) - 0.5) / len(X))
    Z -= Z.mean(axis=0)
    return Z / Z.std(axis=0)


def mean_ranks(column: np.ndarray) -> np.ndarray:
    """1 for the smallest; equal values share the mean of their ranks."""
    _, which, counts = np.unique(column, return_inverse=True, return_counts=True)
    ranks: np.ndarray = np.cumsum(counts) - 0.5 * (counts - 1)
    return ranks[which]


def is_sorted(column: np.ndarray) -> bool:
    steps = np.sign(np.diff(column))
    moving = max(int((steps != 0).sum()), 1)
    return bool(max((steps > 0).sum(), (steps < 0).sum()) >= SORTED_SHARE * moving)


def _lagged_columns(Z: np.ndarray) -> np.ndarray:
    """r(1) … r(LAGS) of each column, (LAGS, d)."""
    return np.array([np.einsum("ij,ij->j", Z[:-lag], Z[lag:]) / (len(Z) - lag) for lag in range(1, LAGS + 1)])


def correlation_time(Z: np.ndarray) -> float:
    """τ: for how many rows one independent row stands."""
    n = len(Z)
    power = np.abs(np.fft.rfft(Z, 2 * n, axis=0)) ** 2
    r = np.fft.irfft(power.sum(axis=1))[:n] / Z.size
    ends = np.flatnonzero(r <= 0)
    return float(max(1.0, 2 * r[: ends[0] if len(ends) else n].sum() - 1))


def _shuffle(n: int, block: int, rng: np.random.Generator) -> np.ndarray:
    """Row numbers in random order within blocks that follow each other, beginning anywhere; all of them from n on."""
    if block >= n:
        return rng.permutation(n)
    blocks = (np.arange(n) + rng.integers(block)) // block
    return np.argsort(blocks + rng.random(n))
