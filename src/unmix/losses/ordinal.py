"""-log P(x = l) for ordered levels, where P(x ≤ l) = σ(τ_l - m): a larger m moves x up, thresholds τ cut the line.

With a = τ_{l-1} - m and b = τ_l - m, infinite at the ends,

    σ(b) - σ(a) = σ(b) σ(-a) (1 - e^(a - b))

so that the loss is log(1 + e^-b) + log(1 + e^a) and a constant of the level: a sum of two logistic losses, convex,
with the sum of their parabolas above it (see `sigmoid`). Thresholds are the log-odds of cumulative shares: m = 0
gives the shares themselves. McCullagh, "Regression models for ordinal data", Journal of the Royal Statistical Society
B 42, 1980.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, NamedTuple

import numpy as np

from unmix.core.arguments import whole_number
from unmix.losses.base import Loss
from unmix.losses.parts import sigmoid
from unmix.losses.parts.domain import not_level, offender
from unmix.losses.parts.location import root
from unmix.losses.parts.shares import count_levels, level_shares

LEAST_SHARE = 1e-9  # of a level: two thresholds must differ
REACH = 40.0  # beyond the outermost threshold, where an end level is as certain as numbers tell


class Cuts(NamedTuple):
    """What a level of each column lies between, (levels, columns), and the constant of its loss."""

    lower: np.ndarray
    upper: np.ndarray
    offset: np.ndarray


@dataclass(frozen=True)
class Ordinal(Loss):
    """Minus the log-probability of a level under a cumulative logit, for ordered levels numbered from 0.

    Parameters
    ----------
    thresholds : one tuple of rising numbers for all columns or for each, optional
        One less than there are levels; otherwise the log-odds of the cumulative shares. Level l has the share of
        numbers between thresholds l - 1 and l under a logistic distribution around m.
    levels : int, optional
        How many there are, for columns without thresholds; otherwise as many as each column holds.

    Examples
    --------
    >>> import numpy as np
    >>> loss = Ordinal(thresholds=((0.0, np.log(3.0)),))
    >>> np.exp(-loss.value(np.array([[0.0], [1.0], [2.0]]), np.zeros((3, 1)))).round(3).ravel()
    array([0.5 , 0.25, 0.25])
    """

    thresholds: tuple[tuple[float, ...], ...] = ()
    levels: int | None = None

    name: ClassVar[str] = "ordinal"

    def __post_init__(self) -> None:
        try:
            kept = tuple(tuple(float(cut) for cut in column) for column in self.thresholds)
        except TypeError:
            kept = ((np.nan,),)
        if not all(np.isfinite(column).all() and (np.diff(column) > 0).all() for column in kept):
            raise ValueError(f"thresholds={self.thresholds!r}: give one tuple of rising finite numbers a column")
        object.__setattr__(self, "thresholds", kept)
        if self.levels is not None:
            object.__setattr__(self, "levels", whole_number("levels", self.levels, 1))

    def value(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        above, below, offset = self._distances(x, m)
        return sigmoid.softplus(above) + sigmoid.softplus(below) + offset

    def gradient(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        above, below, _ = self._distances(x, m)
        return sigmoid.sigmoid(above) - sigmoid.sigmoid(below)

    def curvature(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        above, below, _ = self._distances(x, m)
        return sigmoid.curvature(above) + sigmoid.curvature(below)

    def parabola(self, x: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        above, below, offset = self._distances(x, m)
        up, down = sigmoid.parabola(above), sigmoid.parabola(below)
        value = np.maximum(above, 0) + up.tail + np.maximum(below, 0) + down.tail + offset
        return value, up.slope - down.slope, up.curvature + down.curvature

    def newton(self, x: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        above, below, offset = self._distances(x, m)
        (up, rise), (down, fall) = sigmoid.value_and_slope(above), sigmoid.value_and_slope(below)
        curvature = np.maximum(rise * (1 - rise) + fall * (1 - fall), sigmoid.LEAST_NEWTON)
        return up + down + offset, rise - fall, curvature

    def best(self, m: np.ndarray) -> np.ndarray:
        best, least = np.zeros_like(m), np.full_like(m, np.inf)
        for level in range(self._most_levels()):  # one that a column does not have costs infinity
            cost = self.value(np.full_like(m, level), m)
            best, least = np.where(cost < least, m.dtype.type(level), best), np.minimum(cost, least)
        return best

    def confidence(self, m: np.ndarray, variance: np.ndarray | None = None) -> np.ndarray:
        return np.exp(-self.value(self.best(m), m))

    def error(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        squares: np.ndarray = (x - self._expected(m)) ** 2
        return squares

    def _expected(self, m: np.ndarray) -> np.ndarray:
        """The mean level: Σ_l P(x > l)."""
        lower = _cuts(self.thresholds, m.dtype).lower[1:]
        return sum((sigmoid.sigmoid(m - cut) for cut in lower), np.zeros_like(m))

    def constant(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        # rows of one level go together: the slope is a sum over levels
        n_levels = self._most_levels()
        shares = np.stack([level_shares(x[:, [j]], weights, n_levels) for j in range(x.shape[1])], axis=1)
        levels = np.broadcast_to(np.arange(float(n_levels))[:, None], shares.shape)
        far = np.array([np.abs(column).max(initial=0.0) for column in self.thresholds]) + REACH + np.zeros(x.shape[1])
        return root(lambda m: (shares * self.gradient(levels, np.broadcast_to(m, shares.shape))).sum(axis=0), -far, far)

    def fitted(self, x: np.ndarray, weights: np.ndarray) -> Loss:
        if self.thresholds:
            return self
        columns = (x[:, [j]] for j in range(x.shape[1]))
        found = (_thresholds(column, weights, self.levels or count_levels(column)) for column in columns)
        return replace(self, thresholds=tuple(found))

    def problem(self, x: np.ndarray) -> str:
        if not self.thresholds:
            return not_level(x, self.levels or 0)
        counts = np.array([len(column) + 1 for column in self.thresholds])
        return not_level(x, int(counts.max())) or offender(x, x >= counts, "its column has fewer levels")

    def _most_levels(self) -> int:
        return max(map(len, self.thresholds), default=0) + 1

    def _distances(self, x: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """-b, a and the constant of each cell."""
        if not self.thresholds:
            raise ValueError(
                "Ordinal() has no thresholds yet; give them, or take those of a column by fitted(x, weights)"
            )
        cuts = _cuts(self.thresholds, m.dtype)
        given, g = len(self.thresholds), x.shape[1]
        if given not in (1, g):
            raise ValueError(
                f"Ordinal has thresholds for {given} columns, and {g} are given; give one tuple for all, or each"
            )
        level = np.clip(x.astype(np.intp), 0, len(cuts.upper) - 1)  # rows without weight may hold others
        place = level if given == 1 else level * g + np.arange(g)
        return m - cuts.upper.take(place), cuts.lower.take(place) - m, cuts.offset.take(place)


@lru_cache(maxsize=64)
def _cuts(thresholds: tuple[tuple[float, ...], ...], dtype: np.dtype) -> Cuts:
    """All columns side by side; those with fewer levels end with infinite cuts."""
    most = max(map(len, thresholds), default=0)
    edges = np.full((most + 2, max(len(thresholds), 1)), np.inf)
    edges[0] = -np.inf
    for j, column in enumerate(thresholds):
        edges[1 : len(column) + 1, j] = column
    lower, upper = edges[:-1], edges[1:]
    gap = np.subtract(upper, lower, out=np.full_like(upper, np.inf), where=np.isfinite(upper) & np.isfinite(lower))
    return Cuts(lower.astype(dtype), upper.astype(dtype), -np.log(-np.expm1(-gap)).astype(dtype))


def _thresholds(x: np.ndarray, weights: np.ndarray, n_levels: int) -> tuple[float, ...]:
    """The log-odds of the cumulative shares, taken from both ends so that neither is rounded away."""
    shares = level_shares(x, weights, n_levels)
    # a level between others that was never seen may still be: half as often as the rarest
    shares = np.maximum(np.where(shares > 0, shares, 0.5 * shares[shares > 0].min()), LEAST_SHARE)
    up, down = np.cumsum(shares)[:-1], np.cumsum(shares[::-1])[::-1][1:]
    return tuple((np.log(up) - np.log(down)).tolist())
