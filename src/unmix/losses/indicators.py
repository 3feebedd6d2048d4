"""½ Σ_l (1[x = l] / √p_l - m_l)²: squares on the indicators of a level, each in its own unit √p_l.

With it, factorization of a table of categories is multiple correspondence analysis, and with squares for its numbers
the factor analysis of mixed data: a column with L levels has the inertia L - 1. Pagès, "Analyse factorielle de
données mixtes", Revue de statistique appliquée 52, 2004.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from unmix.core.arguments import whole_number
from unmix.losses.base import Loss
from unmix.losses.parts.domain import not_level
from unmix.losses.parts.shares import count_levels, level_shares


@dataclass(frozen=True)
class Indicators(Loss):
    """Squared differences of the indicators of a level, for categories numbered from 0.

    Parameters
    ----------
    shares : one number a level, optional
        How often each occurs; otherwise as often as in the column. They are brought to the sum 1.
    levels : int, optional
        How many there are; otherwise as many as there are shares, or as the column holds.

    Examples
    --------
    >>> import numpy as np
    >>> Indicators(shares=(0.25, 0.75)).targets(np.array([[0.0], [1.0]])).round(3)
    array([[2.   , 0.   ],
           [0.   , 1.155]])
    """

    shares: tuple[float, ...] = ()
    levels: int | None = None

    name: ClassVar[str] = "indicators"
    elementwise: ClassVar[bool] = False
    quadratic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        shares = np.asarray(self.shares, np.float64)
        if shares.ndim != 1 or not (np.isfinite(shares) & (shares >= 0)).all() or (shares.size and not shares.any()):
            raise ValueError(f"shares={self.shares!r}: give one number from 0 up for each level, not all of them 0")
        if abs(shares.sum() - 1) > 4 * shares.size * np.finfo(np.float64).eps:  # else they stay as they are
            shares = shares / shares.sum() if shares.size else shares
        object.__setattr__(self, "shares", tuple(shares.tolist()))
        if self.levels is not None:
            object.__setattr__(self, "levels", whole_number("levels", self.levels, 1))
            if shares.size not in (0, self.levels):
                raise ValueError(f"levels={self.levels} for {shares.size} shares; give one share a level, or none")

    @property
    def width(self) -> int:
        return len(self.shares) or self.levels or 0

    def value(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return 0.5 * ((self.targets(x) - m) ** 2).sum(axis=1, keepdims=True)

    def gradient(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return m - self.targets(x)

    def curvature(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return np.ones_like(m)

    def targets(self, x: np.ndarray) -> np.ndarray:
        """1 / √p for the level, 0 for the others; NaN where nothing was observed."""
        column, rows = x.ravel(), np.arange(len(x))
        unseen = np.isnan(column)
        level = np.clip(np.where(unseen, 0, column).astype(np.intp), 0, self.width - 1)  # rows without weight
        found = np.zeros((len(x), self.width), x.dtype)
        found[rows, level] = self._scales()[level]
        found[unseen] = np.nan
        return found

    def best(self, m: np.ndarray) -> np.ndarray:
        return (m * np.sqrt(self.shares).astype(m.dtype)).argmax(axis=1)[:, None].astype(m.dtype)

    def confidence(self, m: np.ndarray, variance: np.ndarray | None = None) -> np.ndarray:
        """The indicator of the best level, as a share of what all levels have above 0."""
        shares = np.maximum(m * np.sqrt(self.shares).astype(m.dtype), 0)
        total = shares.sum(axis=1, keepdims=True)
        most: np.ndarray = shares.max(axis=1, keepdims=True) / np.where(total > 0, total, 1)
        return most

    def error(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        differences = (x == np.arange(self.width)) - m * np.sqrt(self.shares)
        squares: np.ndarray = 0.5 * (differences**2).sum(axis=1, keepdims=True)
        return squares + 0.5 * (x >= self.width)  # a level the model does not have

    def constant(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return level_shares(x, weights, self.width) * self._scales()

    def fitted(self, x: np.ndarray, weights: np.ndarray) -> Loss:
        if self.shares:
            return self
        return replace(self, shares=tuple(level_shares(x, weights, self.levels or count_levels(x)).tolist()))

    def problem(self, x: np.ndarray) -> str:
        return not_level(x, self.width)

    def _scales(self) -> np.ndarray:
        """1 / √p, and 0 for a level that never occurs: it has no inertia."""
        if not self.shares:
            raise ValueError(
                "Indicators() has no shares yet; give them, or take those of a column by fitted(x, weights)"
            )
        shares = np.asarray(self.shares)
        return np.divide(1, np.sqrt(shares), out=np.zeros_like(shares), where=shares > 0)
