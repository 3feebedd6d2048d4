"""Parallel analysis: which principal variances exceed what unrelated columns would show by chance.

Every column is shuffled by itself, which keeps its distribution and removes all relations; the first variance is real
if it exceeds the given quantile of the first variances of shuffled tables. Among m of them and itself it is as likely
at every rank where it is not real: so the quantile q is the one that it exceeds with probability 1 - q at most, the
⌈q (m + 1)⌉-th in rising order, or the largest. Then its component is taken out and the
rest is asked the same, for strong components would hide weak ones behind them. What is left after k components has d
- k directions of n - k rows where shuffled it fills d of n: variances of shuffled tables are raised by d/(d - k) ·
n/(n - k). Horn, Psychometrika 30, 1965; Buja & Eyuboglu, Multivariate Behavioral Research 27, 1992; Dobriban & Owen,
JRSS B 81, 2019.

Columns in an order of their own, each then turned round by its own number of rows, are as good as columns shuffled
anew, and cheaper: so a table is shuffled once for every few, and turned for these. Shuffles end early where the verdict
is sure: when so many exceed the variance that the quantile must, or when it is far above what they spread over.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

FIRST, BATCH = 32, 8  # shuffled tables from which their spread is learned, and how many come at a time
CLEAR_DEVIATIONS = 3.0  # times a deviation that one in twenty exceeds: so far above chance needs no more shuffles


class Parallel(NamedTuple):
    """Variances of the table, the limits of those that were asked (NaN for the others), and how many are real."""

    variances: np.ndarray
    limits: np.ndarray
    n_real: int


class Chance(NamedTuple):
    """How many shuffled tables there may be, the quantile, and how they have deviated from their mean so far."""

    n_shuffles: int
    quantile: float
    deviations: np.ndarray

    def limit(self, seen: np.ndarray) -> float:
        """The quantile; of few tables by the deviations of all."""
        if len(seen) >= min(self.n_shuffles, len(self.deviations)):
            return rank_quantile(seen, self.quantile)
        return float(seen.mean() * (1 + np.quantile(self.deviations, self.quantile)))

    def with_deviations(self, seen: np.ndarray) -> Chance:
        mean = seen.mean()
        return self._replace(deviations=np.append(self.deviations, seen / mean - 1)) if mean > 0 else self


def rank_quantile(seen: np.ndarray, quantile: float) -> float:
    """The value that one more of the same kind exceeds with probability 1 - quantile at most, or the largest."""
    return float(np.sort(seen)[-1 - allowed_above(len(seen), quantile)])


def allowed_above(n: int, quantile: float) -> int:
    """How many of n may be above a value that still exceeds their quantile."""
    return max(int(np.floor((1 - quantile) * (n + 1) + 1e-9)) - 1, 0)


def parallel_analysis(X: np.ndarray, n_shuffles: int, quantile: float, rng: np.random.Generator) -> Parallel:
    centred = X - X.mean(axis=0)
    left, values, right = np.linalg.svd(centred, full_matrices=False)
    n, d = len(X) - 1, X.shape[1]
    variances = values**2 / max(n, 1)
    limits = np.full(len(variances), np.nan)
    # singular values, not their squares, are known to this share of the largest
    rounding = np.finfo(np.float64).eps * max(X.shape) * float(np.sqrt(variances[0]))
    rest, most, chance = centred, min(n, d), Chance(n_shuffles, quantile, np.empty(0))
    for k in range(most):
        raised = d / (d - k) * (n / (n - k))
        bar = max(float(np.sqrt(variances[k])) - rounding, 0.0) ** 2 / raised
        seen, real = exceeds_chance(rest, bar, chance, rng)
        limits[k] = raised * chance.limit(seen)
        if not real:
            return Parallel(variances, limits, k)
        chance = chance.with_deviations(seen)
        rest = rest - values[k] * np.outer(left[:, k], right[k])
    return Parallel(variances, limits, most)


def exceeds_chance(table: np.ndarray, bar: float, chance: Chance, rng: np.random.Generator) -> tuple[np.ndarray, bool]:
    """First variances of shuffled tables, as many as it takes, and whether `bar` exceeds their quantile."""
    columns = np.ascontiguousarray((table - table.mean(axis=0)).T)
    most, seen = chance.n_shuffles, np.empty(0)
    enough = allowed_above(most, chance.quantile) + 1  # so many at or above the bar, and the quantile is too
    while len(seen) < most:
        seen = np.append(seen, first_variances(columns, min(BATCH, most - len(seen)), rng))
        if (seen >= bar).sum() >= enough:
            return seen, False
        deviations = np.abs(chance.with_deviations(seen).deviations)
        if len(deviations) >= FIRST and bar > seen.mean() * (1 + CLEAR_DEVIATIONS * np.quantile(deviations, 0.95)):
            return seen, True
    return seen, bool(bar > rank_quantile(seen, chance.quantile))


def first_variances(columns: np.ndarray, size: int, rng: np.random.Generator) -> list[float]:
    """Of tables shuffled column by column; columns held twice in a row have their turns as windows."""
    d, n = columns.shape
    shuffled = rng.permuted(columns, axis=1)
    windows = np.lib.stride_tricks.sliding_window_view(np.hstack([shuffled, shuffled]), n, axis=1)
    return [first_variance(windows[np.arange(d), rng.integers(n, size=d)]) for _ in range(size)]


def first_variance(columns: np.ndarray) -> float:
    """The largest principal variance of centred columns (d, n), from the inner products of the shorter side."""
    from scipy.linalg import eigh

    d, n = columns.shape
    gram = columns @ columns.T if d <= n else columns.T @ columns
    last = [len(gram) - 1, len(gram) - 1]
    largest = eigh(gram, eigvals_only=True, subset_by_index=last, overwrite_a=True, check_finite=False)[0]
    return max(float(largest), 0.0) / max(n - 1, 1)
