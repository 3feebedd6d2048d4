"""A stream of rows: their running mean and covariance, the whitening these give, and an unmixing that is learned in it.

Rows are learned from a window at a time. Windows are cut by the number of rows seen, never by how the rows came, so a
stream in chunks of any size gives one answer. A row far beyond all others of its window is left out; rows of another
unit (100 times as large, or 100 times as small for as long as the stream has lasted) start mean and covariance anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from unmix.algorithms.independent.whitening import Whitening, frame_of
from unmix.core.linalg import power_of_two

SPREAD_CHANGE = 100.0  # times by which rows spread more or less than those before
FEW_ROWS = 4  # times the columns: so few are not judged
FAR_DISTANCE = 1e4  # times the median distance: such a row is left out
MOST_FAR = 0.02  # share of the rows; more are no strays
WINDOWS = {16_384: 4096, 2048: 1024, 0: 256}  # rows of a window, by rows seen
MOST_ENTRIES = 2**22  # of the rows that are held
MANY_ENTRIES = 512  # entries of a row from which on columns are reduced quickly


class Learning(Protocol):
    """What a rule keeps: the unmixing in whitened coordinates, and whatever else."""

    matrix: np.ndarray

    def _replace(self, *, matrix: np.ndarray) -> Any: ...


class Stream(NamedTuple):
    """Mean, covariance (``scatter``) and unmixing ``matrix`` (k, d) of rows divided by ``unit``, a power of two.

    ``weight`` is that of the rows in mean and covariance, ``rows`` all that came, ``quiet`` how many of the last ones
    spread 100 times less, ``inverse`` the mixing, ``learned`` what the rule keeps.
    """

    unit: float
    mean: np.ndarray
    scatter: np.ndarray
    weight: float
    rows: int
    quiet: int
    matrix: np.ndarray
    inverse: np.ndarray
    learned: Any


class Rule(NamedTuple):
    """How a stream is learned from: the first state of k sources, and a state after rows and their weights."""

    k: int | None
    dtype: Any
    start: Callable[[int], Learning]
    learn: Callable[[Any, np.ndarray, np.ndarray | None], Learning]


def window(stream: Stream | None, d: int, k: int | None, least: int) -> int:
    """Rows of the next window: enough to see all directions, or as many as a moderate memory holds."""
    wanted = min(8 * (k or d), MOST_ENTRIES // d)
    seen = 0 if stream is None else stream.rows
    usual = next(size for rows, size in WINDOWS.items() if seen >= rows)
    return max(usual, wanted, 2 * (k or 0), least)


def follow(stream: Stream | None, rows: np.ndarray, weights: np.ndarray | None, rule: Rule) -> Stream | None:
    """The stream after these rows; None while no row differs from another."""
    kept = without_far_rows(stream, rows)
    if not kept.any():
        return stream
    near, w = (rows, weights) if kept.all() else (rows[kept], None if weights is None else weights[kept])
    stream, quiet, unit, new = compare(stream, near, w)
    mean, scatter, weight = merged(stream, new)
    seen = len(rows) + (0 if stream is None else stream.rows)
    frame = frame_of(scatter, mean, weight, rule.k if stream is None else len(stream.matrix), rule.dtype)
    if stream is not None and len(frame.matrix) < len(stream.matrix):  # some direction is still to be seen
        return stream._replace(unit=unit, mean=mean, scatter=scatter, weight=weight, rows=seen, quiet=quiet)
    if not len(frame.matrix):
        return None
    learned = rule.start(len(frame.matrix)) if stream is None else in_new_whitening(stream, frame)
    learned = rule.learn(learned, near @ (frame.matrix.T / unit) - frame.matrix @ mean, w)
    matrix, inverse = learned.matrix @ frame.matrix, frame.inverse @ np.linalg.inv(learned.matrix)
    return Stream(unit, mean, scatter, weight, seen, quiet, matrix, inverse, learned)


def compare(
    stream: Stream | None, rows: np.ndarray, weights: np.ndarray | None
) -> tuple[Stream | None, int, float, Moments]:
    """The stream, forgotten if these rows say that those before tell nothing of them; how many rows were quiet.

    And the unit, with the moments of the rows in it.
    """
    if stream is not None and stream.weight > 0:
        new, quiet = moments(rows / stream.unit, weights), stream.quiet
        if len(rows) > FEW_ROWS * rows.shape[1]:
            ratio = spread_ratio(stream, new.scatter)
            quiet = stream.quiet + len(rows) if ratio < 1 / SPREAD_CHANGE else 0
            if ratio > SPREAD_CHANGE or quiet >= max(stream.rows, 1):
                return compare(without_moments(stream), rows, weights)
        return stream, quiet, stream.unit, new
    unit = 1 / power_of_two(float(np.abs(rows).max()))
    return stream, 0, unit, moments(rows / unit, weights)


def in_new_whitening(stream: Stream, frame: Whitening) -> Any:
    """What was learned, in the coordinates of a new whitening; of unit variance where that was begun anew."""
    matrix = stream.matrix @ frame.inverse
    if stream.weight == 0:
        matrix = matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
    return stream.learned._replace(matrix=matrix)


class Moments(NamedTuple):
    mean: np.ndarray
    scatter: np.ndarray
    weight: float


@np.errstate(over="ignore", under="ignore", invalid="ignore")
def moments(rows: np.ndarray, weights: np.ndarray | None) -> Moments:
    """Mean, covariance and weight of these rows alone."""
    mass = float(len(rows) if weights is None else weights.sum())
    mean = (columnwise(np.add, rows) if weights is None else weights @ rows) / mass
    away = rows - mean
    return Moments(mean, away.T @ (away if weights is None else away * weights[:, None]) / mass, mass)


def columnwise(operation: np.ufunc, rows: np.ndarray) -> np.ndarray:
    """Each column reduced to one number; rows of few columns are laid side by side, which is many times quicker."""
    n, d = rows.shape
    beside = min(MANY_ENTRIES // d, n // 2)
    if beside < 2:
        return np.asarray(operation.reduce(rows, axis=0))
    whole = n // beside * beside
    few = operation.reduce(rows[:whole].reshape(-1, beside * d), axis=0).reshape(beside, d)
    return np.asarray(operation.reduce(np.concatenate([few, rows[whole:]]), axis=0))


def merged(stream: Stream | None, new: Moments) -> Moments:
    """The moments of everything seen."""
    if stream is None or stream.weight == 0:
        return new
    total, moved = stream.weight + new.weight, new.mean - stream.mean
    share = new.weight / total
    scatter = (1 - share) * stream.scatter + share * (new.scatter + (1 - share) * np.outer(moved, moved))
    return Moments(stream.mean + share * moved, scatter, total)


def without_far_rows(stream: Stream | None, rows: np.ndarray) -> np.ndarray:
    """Rows that are not beyond all comparison with those before, or with the median row."""
    if stream is not None and stream.weight > 0:
        spread = np.sqrt(np.diag(stream.scatter)) * stream.unit
        far = strays(rows, stream.mean * stream.unit, spread)
        if len(rows) <= FEW_ROWS * rows.shape[1] or not far.any():
            return ~far
    if len(rows) <= FEW_ROWS * rows.shape[1]:
        return np.ones(len(rows), dtype=bool)
    centre = np.median(rows, axis=0)
    far = strays(rows, centre, np.median(np.abs(rows - centre), axis=0))
    return ~far if far.mean() <= MOST_FAR else np.ones_like(far)


def strays(rows: np.ndarray, centre: np.ndarray, spread: np.ndarray) -> np.ndarray:
    allowed = np.where(spread > 0, FAR_DISTANCE * spread, np.inf)
    highest, lowest = columnwise(np.maximum, rows), columnwise(np.minimum, rows)
    if (highest <= centre + allowed).all() and (lowest >= centre - allowed).all():
        return np.zeros(len(rows), dtype=bool)
    return np.asarray((np.abs(rows - centre) > allowed).any(axis=1))


def spread_ratio(stream: Stream, scatter: np.ndarray) -> float:
    """By how much sources spread more in rows of this covariance than they did before."""
    if not np.isfinite(scatter).all():
        return np.inf
    now, before = (np.vecdot(stream.matrix @ C, stream.matrix) for C in (scatter, stream.scatter))
    return float(np.sqrt(np.mean(now[before > 0] / before[before > 0])))


def without_moments(stream: Stream) -> Stream:
    """The unmixing stays, up to its scale; mean and covariance count no more."""
    return stream._replace(weight=0.0, quiet=0, matrix=stream.matrix / np.abs(stream.matrix).max())
