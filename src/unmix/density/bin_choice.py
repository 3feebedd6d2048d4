"""How many intervals a histogram should have along each axis.

With weights n_c in M equal cells of a unit cube, N in all, and a background of weight A,

    likelihood      Σ_i w_i log ((n_c(i) - w_i) M + A) / (N - w_i + A)      each row judged by all others
    least squares   2/N Σ_i w_i ((n_c(i) - w_i) M + A) / (N - w_i + A) - (M Σ_c n_c² + 2 A N + A²) / (N + A)²
    Knuth           N log M + log Γ(M/2) - log Γ(N + M/2) + Σ_c (log Γ(n_c + ½) - log Γ(½))

are all to be large. Equal rows are one row of their weight, and left out together: copies would otherwise ask for ever
thinner intervals about them. Where every column is rounded, equal rows are not copies: they are spread evenly over the
step about their value, and no interval is thinner than a step.
References: Stone, An asymptotically optimal histogram selection rule (1984); Rudemo, Empirical choice of histograms
and kernel density estimators (1982); Knuth, Optimal data-based binning for histograms (2006); Scott (1979); Freedman
and Diaconis (1981).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from unmix.algorithms.rounded_values.rounding import Rounding, find_rounding, single_rows
from unmix.density.histogram_grid import MOST_CELLS, n_cells

MOST_BINS = 2**14  # along one axis
FACTORS = (0.5, 0.7, 0.85, 0.93, 1.08, 1.18, 1.4, 2.0)  # by which the number along one axis is tried to change
ROUNDS = 4
ON_EDGE = 1e-9  # of an interval: a row so near below an edge stands on it, and other units do not move it across
PRIMES = (2, 3, 5, 7, 11, 13)  # whose roots are no multiples of each other
LEAST_GAIN = 4.0  # in the log-likelihood of all rows; less is chance, and would split up evenly spread rows


class Points(NamedTuple):
    """Different rows in the unit cube of the grid, and their weights."""

    unit: np.ndarray
    weights: np.ndarray
    limits: np.ndarray  # (d,) the most intervals that make sense
    rounding: Rounding | None = None  # of the rows, if they were rounded


Judge = Callable[[np.ndarray, np.ndarray, int, float], float]


def likelihood(counts: np.ndarray, weights: np.ndarray, cells: int, background: float) -> float:
    """Mean log-density of each row under all others, in the unit cube; ``counts`` are those of the rows' cells."""
    total = weights.sum()
    background = background if background > 0 else 1.0  # a row alone in its cell would forbid all narrow cells
    others = np.maximum(counts - weights, 0.0) * float(cells) + background
    return float(weights @ (np.log(others) - np.log(total - weights + background)) / total)


def least_squares(counts: np.ndarray, weights: np.ndarray, cells: int, background: float) -> float:
    """Minus the estimated integral of the squared error, less what does not depend on the cells."""
    total = weights.sum()
    background = background if background > 0 or weights.max() < total else 1.0
    left = weights @ ((np.maximum(counts - weights, 0.0) * float(cells) + background) / (total - weights + background))
    square = float(cells) * (weights @ counts) + 2 * background * total + background**2  # Σ_c n_c² = Σ_i w_i n_c(i)
    return float(2 * left / total - square / (total + background) ** 2)


def knuth(counts: np.ndarray, weights: np.ndarray, cells: int, background: float) -> float:
    """Log of the posterior of the number of cells, all up to that of the rows being as probable beforehand."""
    total = weights.sum()
    if cells > max(1.0, total):  # it rises again where nearly all cells are empty
        return -np.inf
    each = weights / counts  # adds up to 1 over the rows of a cell
    found = float(each @ (gammaln(counts + 0.5) - gammaln(0.5)))
    return float(total * np.log(float(cells)) + gammaln(cells / 2) - gammaln(total + cells / 2) + found)


JUDGES: dict[str, Judge] = {"likelihood": likelihood, "least-squares": least_squares, "knuth": knuth}


def score_bins(points: Points, n_bins: np.ndarray, rule: str, background: float) -> float:
    """The value of a rule for these numbers of intervals; minus infinity for more cells than can be numbered."""
    cells = n_cells(n_bins)
    if cells > MOST_CELLS:
        return -np.inf
    numbers = np.zeros(len(points.unit), dtype=np.int64)
    for column, m in zip(points.unit.T, n_bins):
        numbers = numbers * int(m) + np.minimum((column * m + ON_EDGE).astype(np.int64), m - 1)
    if cells <= max(2**16, 8 * len(numbers)):
        counts = np.bincount(numbers, points.weights, cells)[numbers]
    else:
        _, place = np.unique(numbers, return_inverse=True)
        counts = np.bincount(place, points.weights)[place]
    return JUDGES[rule](counts, points.weights, cells, background)


def choose(points: Points, rule: str, background: float) -> np.ndarray:
    """Numbers of intervals: the best of a ladder on all axes together, then one axis at a time."""

    margin = LEAST_GAIN / points.weights.sum() if rule == "likelihood" else 0.0

    def value(n_bins: np.ndarray) -> float:
        return score_bins(points, n_bins, rule, background)

    best = np.ones(len(points.limits), dtype=np.int64)
    top, tried = value(best), {tuple(best)}
    for n_bins in _ladder(points):
        best, top = _better(best, top, n_bins, value, margin, tried)
    for _ in range(ROUNDS):
        before = top
        for axis in range(len(best)):
            for n_bins in _changed(best, axis, points.limits):
                best, top = _better(best, top, n_bins, value, margin, tried)
        if top <= before:
            break
    return best


def _better(
    best: np.ndarray, top: float, n_bins: np.ndarray, value: Callable, margin: float, tried: set
) -> tuple[np.ndarray, float]:
    if tuple(n_bins) in tried:
        return best, top
    tried.add(tuple(n_bins))
    found = value(n_bins)
    return (n_bins, found) if found > top + margin + 1e-12 * abs(top) else (best, top)


def _ladder(points: Points) -> list[np.ndarray]:
    """The rules of thumb, and the same times powers of 2^¼."""
    starts = [by_thumb(points, rule) for rule in ("scott", "freedman-diaconis")]
    steps = 2.0 ** (np.arange(-16, 25) / 4)
    return [np.clip(np.rint(start * step), 1, points.limits).astype(np.int64) for start in starts for step in steps]


def _changed(n_bins: np.ndarray, axis: int, limits: np.ndarray) -> list[np.ndarray]:
    m = int(n_bins[axis])
    numbers = {1, m - 1, m + 1, *(int(np.rint(m * factor)) for factor in FACTORS)}
    out = []
    for number in sorted(n for n in numbers if 1 <= n <= limits[axis]):
        changed = n_bins.copy()
        changed[axis] = number
        out.append(changed)
    return out


def by_thumb(points: Points, rule: str) -> np.ndarray:
    """Widths 3.49 σ or 2 IQR, times n^(-1/(d + 2)); σ stands in where half the rows have one value."""
    total, d = points.weights.sum(), points.unit.shape[1]
    mean = points.weights @ points.unit / total
    sigma = np.sqrt(points.weights @ (points.unit - mean) ** 2 / total)
    width = (24 * np.sqrt(np.pi)) ** (1 / 3) * sigma
    if rule == "freedman-diaconis":
        quartiles = np.array([_quartiles(column, points.weights) for column in points.unit.T])
        between = 2 * (quartiles[:, 1] - quartiles[:, 0])
        width = np.where(between > 0, between, width)
    width = width * total ** (-1 / (d + 2))
    wanted = np.ceil(np.divide(1.0, width, out=np.ones(d), where=width > 0) - 1e-9)
    return np.clip(wanted, 1, points.limits).astype(np.int64)


def _quartiles(column: np.ndarray, weights: np.ndarray) -> np.ndarray:
    order = np.argsort(column, kind="stable")
    reached = np.cumsum(weights[order])
    return column[order][np.searchsorted(reached, np.array([0.25, 0.75]) * reached[-1])]


def column_order(rows: np.ndarray, weights: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The columns in an order that neither their places in the table nor their units decide: by how they are spread.

    Digits that the order of the rows could change are not looked at.
    """
    share, keys = weights / weights.sum(), []
    for column, a, b in zip(rows.T, low, high):
        unit = (column / 4 - a / 4) / (b / 4 - a / 4)
        mean = float(share @ unit)
        moments = (share @ (unit - mean) ** 2, mean, share @ unit**3, share @ unit**4, len(np.unique(column)))
        keys.append(tuple(float(f"{moment:.9e}") for moment in moments))
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.intp)


def make_points(rows: np.ndarray, weights: np.ndarray, low: np.ndarray, high: np.ndarray, eps: float) -> Points:
    """Equal rows joined, or spread over the step of rounding; no interval is thinner than a few floats, or a step."""
    rows, place = np.unique(rows, axis=0, return_inverse=True)
    weights = np.bincount(place.ravel(), weights)
    varies = np.array([len(np.unique(column)) > 1 for column in rows.T])
    length = high / 4 - low / 4
    finest = length / (16 * eps * np.maximum(np.maximum(np.abs(low), np.abs(high)) / 4, np.finfo(float).tiny))
    rounding = find_rounding(rows, weights)
    if rounding is not None:
        rows, weights = spread_out(rows, weights, rounding)
        thinnest = np.where(rounding.steps > 0, rounding.steps / 4, length)
        low, high = lattice_ends(low, high, rounding)
        low, length = low - 2 * thinnest, high / 4 - low / 4 + thinnest  # half a step more at both ends
        finest = np.minimum(finest, np.rint(length / thinnest))
    unit = np.clip((rows / 4 - low / 4) / length, 0.0, 1.0)
    limits = np.where(varies, np.clip(finest, 1, min(MOST_BINS, 4 * len(rows))), 1)
    return Points(unit, weights, limits.astype(np.int64), rounding)


def spread_out(places: np.ndarray, weights: np.ndarray, rounding: Rounding) -> tuple[np.ndarray, np.ndarray]:
    """Rows anywhere in the step about each value: evenly along the first axis, by multiples of roots along others."""
    rows, own = single_rows(places, weights)
    first = np.flatnonzero(np.append(True, (rows[1:] != rows[:-1]).any(axis=1)))
    counts = np.diff(np.append(first, len(rows)))
    number = np.arange(len(rows)) - np.repeat(first, counts) + 0.5
    offsets = np.empty_like(rows)
    offsets[:, 0] = number / np.repeat(counts, counts)
    for j in range(1, rows.shape[1]):
        offsets[:, j] = (number * np.sqrt(PRIMES[j % len(PRIMES)])) % 1.0
    return rows + (offsets - 0.5) * rounding.own_steps(rows), own


def lattice_ends(low: np.ndarray, high: np.ndarray, rounding: Rounding) -> tuple[np.ndarray, np.ndarray]:
    """The values that rows between low and high are rounded to at both ends; halfway between two, to the higher."""
    ends = []
    for end in (low, high):
        away = (end / 2 - rounding.anchors / 2) / np.where(rounding.steps > 0, rounding.steps / 2, 1.0)
        nearest = rounding.anchors + rounding.steps * np.floor(away + 0.5)
        ends.append(np.where(rounding.steps > 0, nearest, end))
    return ends[0], ends[1]
