"""log Σ_l e^m_l - m_x for a level x: minus its log-probability where p_l = e^m_l / Σ e^m.

The curvature of m_l is (1 - 2 p_l) / log((1 - p_l) / p_l), at most ½ and less for rare and for common levels. Its
parabola lies above everywhere: with the indicators B_l of the level and δ = m' - m,

    log Σ_l p_l e^δ_l - Σ_l p_l δ_l = log E exp(Σ_l δ_l (B_l - p_l))
        ≤ ½ Σ± log E exp(Σ_{l: ±δ_l > 0} 2 δ_l (B_l - p_l))      Cauchy and Schwarz, for levels that rise and fall
        ≤ ½ Σ_l log E exp(2 δ_l (B_l - p_l))                    indicators of one choice are negatively associated
        ≤ ½ Σ_l (1 - 2 p_l) / log((1 - p_l) / p_l) · δ_l²       Kearns and Saul

Joag-Dev and Proschan, "Negative association of random variables", Annals of Statistics 11, 1983; Kearns and Saul,
"Large deviation methods for approximate probabilistic inference", UAI 1998. The ½ alone is due to Böhning,
"Multinomial logistic regression algorithm", Annals of the Institute of Statistical Mathematics 44, 1992.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from unmix.core.arguments import whole_number
from unmix.losses.base import Loss
from unmix.losses.parts import sigmoid
from unmix.losses.parts.domain import not_level
from unmix.losses.parts.shares import count_levels, level_shares

LEAST_NEWTON = 1e-3  # of the curvature that a step is taken with, as for two levels


@dataclass(frozen=True)
class Multinomial(Loss):
    """Minus the log-probability of a level, for categories numbered from 0; the model has a number for each.

    Parameters
    ----------
    levels : int, optional
        How many there are; otherwise as many as the column holds.

    Examples
    --------
    >>> import numpy as np
    >>> Multinomial(levels=3).value(np.array([[1.0]]), np.array([[0.0, np.log(2.0), 0.0]])).round(3)
    array([[0.693]])
    """

    levels: int | None = None

    name: ClassVar[str] = "multinomial"
    elementwise: ClassVar[bool] = False
    stacks: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.levels is not None:
            object.__setattr__(self, "levels", whole_number("levels", self.levels, 1))

    @property
    def width(self) -> int:
        return self.levels or 0

    def value(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        below, powers = self._exponentials(m)
        value: np.ndarray = np.log(powers.sum(axis=0)) - _picked(below, x)
        return value

    def gradient(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return self.parabola(x, m)[1]

    def curvature(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return self.parabola(x, m)[2]

    def parabola(self, x: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        below, shares = self._shares(m)
        value, curvature = -_picked(below, x), _curvature(shares, below)
        return np.maximum(value, 0), _side_by_side(_less_one(shares, x)), _side_by_side(curvature)

    def newton(self, x: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """p (1 - p), times L / (L - 1) for what the levels share: exact where all are equally probable.

        Level by level and in place, the cell's own level by its index: a fit spends half of its time here.
        """
        m, own = np.ascontiguousarray(m), self._own(x)
        levels = self._parts(m)
        top = levels[0].copy()
        for level in levels[1:]:
            np.maximum(top, level, out=top)
        value, slope = top - np.take(m, own), np.empty_like(m)
        shares, mass = self._parts(slope), np.zeros_like(top)
        for level, share in zip(levels, shares, strict=True):
            mass += np.exp(np.subtract(level, top, out=share), out=share)
        value += np.log(mass)
        np.divide(1, mass, out=mass)
        for share in shares:
            share *= mass
        bend = 1 - slope
        bend *= slope
        bend *= m.dtype.type(self.width / max(self.width - 1, 1))
        slope.ravel()[own] -= 1
        return np.maximum(value, 0, out=value), slope, np.maximum(bend, LEAST_NEWTON, out=bend)

    def _parts(self, m: np.ndarray) -> list[np.ndarray]:
        """The numbers of each level, as views."""
        g = m.shape[1] // self.width
        return [m[:, start : start + g] for start in range(0, m.shape[1], g)]

    def _own(self, x: np.ndarray) -> np.ndarray:
        """Where the number of each cell's own level stands in the model of these rows, laid out in a line."""
        n, g = x.shape
        first: np.ndarray = np.arange(n)[:, None] * (self.width * g) + np.arange(g)
        return first + x.astype(np.intp) * g

    def best(self, m: np.ndarray) -> np.ndarray:
        return self._levels(m).argmax(axis=0).astype(m.dtype)

    def confidence(self, m: np.ndarray, variance: np.ndarray | None = None) -> np.ndarray:
        most: np.ndarray = self._shares(m)[1].max(axis=0)
        return most

    def error(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        differences = _less_one(self._shares(m)[1], x)
        squares: np.ndarray = 0.5 * (differences**2).sum(axis=0)
        return squares + 0.5 * (x >= self.width)  # a level the model does not have

    def constant(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        shares = np.stack([level_shares(x[:, [j]], weights, self.width) for j in range(x.shape[1])], axis=1)
        log_share = np.log(np.maximum(shares, np.exp(-sigmoid.CERTAIN)))
        return (log_share - log_share.mean(axis=0)).ravel()

    def fitted(self, x: np.ndarray, weights: np.ndarray) -> Loss:
        return self if self.levels is not None else replace(self, levels=count_levels(x))

    def problem(self, x: np.ndarray) -> str:
        return not_level(x, self.width)

    def _levels(self, m: np.ndarray) -> np.ndarray:
        """(levels, n, g): few numbers add up slowly along the last axis."""
        n = len(m)
        return m.reshape(n, self.width, -1).transpose(1, 0, 2)

    def _exponentials(self, m: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """m below the largest of its cell, and e to it."""
        levels = self._levels(m)
        below = np.subtract(levels, levels.max(axis=0), order="C")
        return below, np.exp(below)

    def _shares(self, m: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Log-probabilities and probabilities of the levels."""
        below, shares = self._exponentials(m)
        mass = shares.sum(axis=0)
        below -= np.log(mass)
        shares /= mass
        return below, shares


def _picked(levels: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Of every cell the number of its own level, (n, g)."""
    out = np.zeros(x.shape, levels.dtype)
    for level, numbers in enumerate(levels):
        np.copyto(out, numbers, where=x == level)
    return out


def _less_one(shares: np.ndarray, x: np.ndarray) -> np.ndarray:
    for level, numbers in enumerate(shares):
        numbers -= x == level
    return shares


def _side_by_side(levels: np.ndarray) -> np.ndarray:
    """As the columns of the model lie."""
    return np.ascontiguousarray(levels.transpose(1, 0, 2)).reshape(levels.shape[1], -1)


def _curvature(p: np.ndarray, log_p: np.ndarray) -> np.ndarray:
    """(1 - 2 p) / log((1 - p) / p), and near p = ½, where it is 0 / 0, two terms of its series."""
    almost = 1 - np.finfo(p.dtype).eps
    odds = np.log1p(-np.minimum(p, almost)) - log_p
    close = np.abs(odds) < 4 * np.finfo(p.dtype).eps ** 0.25
    c = (1 - 2 * p) / np.where(close, 1, odds)
    if close.any():
        c[close] = 0.5 - odds[close] ** 2 / 24
    return np.maximum(c, sigmoid.LEAST_CURVATURE)
