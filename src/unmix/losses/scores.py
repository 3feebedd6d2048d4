"""½ (s_x - m)² for a level x of an ordered column: levels as the scores they would have under a normal law.

Level l takes the share of a standard normal law between Φ⁻¹(F_{l-1}) and Φ⁻¹(F_l), F the cumulative shares; its score
is the mean of that slice.  Quadratic, where `Ordinal` has the likelihood: so codes may have a normal law.  A number of
the model stands for the level in whose slice it lies: the median, also where most rows have one level.

Bartlett, "The use of transformations", Biometrics 3, 1947; Blom, Statistical Estimates and Transformed Beta-Variables,
1958.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.special import ndtr, ndtri

from unmix.losses.base import Loss
from unmix.losses.parts.domain import not_level
from unmix.losses.parts.shares import count_levels, level_shares
from unmix.losses.quadratic import Quadratic


@dataclass(frozen=True)
class Scores(Quadratic):
    """Half the squared difference from the normal score of a level, for ordered levels numbered from 0.

    Parameters
    ----------
    scores : one tuple of rising numbers a column, optional
        One for each level; otherwise from the shares of the levels.
    cuts : one tuple of rising numbers a column, optional
        Where one level ends and the next begins; otherwise halfway between scores, or, with scores from shares, at the
        ends of the slices.

    Examples
    --------
    >>> import numpy as np
    >>> Scores(scores=((-1.0, 0.0, 2.0),)).best(np.array([[0.9], [1.1]]))
    array([[1.],
           [2.]])
    """

    scores: tuple[tuple[float, ...], ...] = ()
    cuts: tuple[tuple[float, ...], ...] = ()

    name: ClassVar[str] = "scores"

    def __post_init__(self) -> None:
        kept = tuple(tuple(float(score) for score in column) for column in self.scores)
        if not all(len(column) and np.isfinite(column).all() and (np.diff(column) >= 0).all() for column in kept):
            raise ValueError(f"scores={self.scores!r}: give one tuple of rising finite numbers a column")
        object.__setattr__(self, "scores", kept)
        cuts = tuple(tuple(float(cut) for cut in column) for column in self.cuts)
        if cuts and [len(column) + 1 for column in cuts] != [len(column) for column in kept]:
            raise ValueError(f"cuts={self.cuts!r}: give one between every two levels of each column of scores")
        object.__setattr__(self, "cuts", cuts)

    def targets(self, x: np.ndarray) -> np.ndarray:
        missing = np.isnan(x)
        level = np.where(missing, 0, x).astype(np.intp)
        found = self._table(np.inf).astype(x.dtype)[level, np.arange(x.shape[1])]
        return np.where(missing, x, found)

    def best(self, m: np.ndarray) -> np.ndarray:
        """The level in whose slice m lies."""
        return sum(((m > cut).astype(m.dtype) for cut in self._cuts()), np.zeros_like(m))

    def confidence(self, m: np.ndarray, variance: np.ndarray | None = None) -> np.ndarray:
        """How probable it is that m, which may vary, stays in the same slice; certain without a variance."""
        if variance is None:
            return np.ones_like(m)
        low, high = np.full(m.shape, -np.inf), np.full(m.shape, np.inf)
        for cut in self._cuts():
            low = np.where(m > cut, cut, low)
            high = np.where(m > cut, high, np.minimum(high, cut))
        spread = np.maximum(np.sqrt(variance), np.finfo(m.dtype).tiny)
        most: np.ndarray = ndtr((high - m) / spread) - ndtr((low - m) / spread)
        return most.astype(m.dtype)

    def error(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        """The squared distance of levels, between which the model's number is placed by their scores."""
        places = np.empty_like(m)
        for j, column in enumerate(self.scores if len(self.scores) == m.shape[1] else self.scores * m.shape[1]):
            places[:, j] = np.interp(m[:, j], column, np.arange(len(column)))
        squares: np.ndarray = (x - places) ** 2
        return squares

    def fitted(self, x: np.ndarray, weights: np.ndarray) -> Loss:
        if self.scores:
            return self
        found = [_scores(x[:, [j]], weights) for j in range(x.shape[1])]
        return replace(self, scores=tuple(scores for scores, _ in found), cuts=tuple(cuts for _, cuts in found))

    def problem(self, x: np.ndarray) -> str:
        if len(self.scores) <= 1:
            return not_level(x, max(map(len, self.scores), default=0))
        reasons = (not_level(x[:, [j]], len(column)) for j, column in enumerate(self.scores))
        return next((reason for reason in reasons if reason), "")

    def _cuts(self) -> np.ndarray:
        """(levels - 1, columns); infinite where a column has no more levels."""
        table = self._table(np.inf)
        if self.cuts:
            out = np.full((len(table) - 1, table.shape[1]), np.inf)
            for j, column in enumerate(self.cuts):
                out[: len(column), j] = column
            return out
        below = np.where(np.isfinite(table[1:]), table[:-1], np.inf)
        cuts: np.ndarray = 0.5 * (table[1:] + below)
        return cuts

    def _table(self, fill: float) -> np.ndarray:
        """(levels, columns), columns with fewer levels filled up."""
        out = np.full((max(map(len, self.scores), default=1), max(len(self.scores), 1)), fill)
        for j, column in enumerate(self.scores):
            out[: len(column), j] = column
        return out


def _scores(x: np.ndarray, weights: np.ndarray) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Means of the slices of a normal law, and their ends; a level that never occurs lies between its neighbours."""
    shares = level_shares(x, weights, count_levels(x))
    edges = np.concatenate([[0.0], np.clip(np.cumsum(shares), 0.0, 1.0)])
    edges[-1] = 1.0
    density = np.exp(-0.5 * np.square(np.clip(ndtri(edges), -40, 40))) / np.sqrt(2 * np.pi)
    slices = np.diff(edges)
    middle = ndtri(np.clip(edges[1:], 1e-12, 1 - 1e-12))
    scores = np.where(slices > 0, -np.diff(density) / np.where(slices > 0, slices, 1.0), middle)
    return tuple(np.maximum.accumulate(scores).tolist()), tuple(middle[:-1].tolist())
