"""What a cell may cost: how far the value x of a cell is from what the model says of it, m = z·U + b.

A loss is written for many cells at once. ``x`` is (n, g), the same loss for g columns; ``m`` is (n, g · width), where
``width`` numbers of the model belong to a cell: one for most losses, one a level for a category.  Those of level 0 of
all g columns come first, then those of level 1.  Cells
that were not observed never reach it: they are replaced by 0, which every loss must bear, and what it returns for them
is not counted.

Fitting needs no more of a loss than a parabola through a point,

    value(x, m') ≤ value(x, m) + gradient · (m' - m) + ½ curvature · (m' - m)²

Where ``majorizes`` this holds for every m', and a step to the lowest point of the parabolas never raises the objective;
elsewhere it is a guess that the solver tries, and damps where it fails.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np


class Loss(ABC):
    """Base of all losses. Subclasses are frozen dataclasses: parameters alone, no data.

    Parameters that depend on the column (levels, thresholds) are found by `fitted`, which returns a new loss.
    """

    name: ClassVar[str]
    elementwise: ClassVar[bool] = True  # one number a cell: columns with equal losses are fitted and go together
    stacks: ClassVar[bool] = False  # several numbers a cell, and columns whose fitted losses are equal go together
    majorizes: ClassVar[bool] = True  # whether the parabola lies above the loss everywhere
    quadratic: ClassVar[bool] = False  # ½ (t(x) - m)² with the curvature 1: `targets` gives t
    in_units: ClassVar[bool] = False  # x may be shifted and divided by a unit; else the loss itself is multiplied

    @property
    def width(self) -> int:
        """Numbers of the model that belong to a cell."""
        return 1

    @abstractmethod
    def value(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        """What each cell costs, (n, g), never below 0."""

    @abstractmethod
    def gradient(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        """Its derivative in m, (n, g · width)."""

    @abstractmethod
    def curvature(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        """That of the parabola, (n, g · width), above 0."""

    def parabola(self, x: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Value, gradient and curvature together, for losses where they share their work."""
        return self.value(x, m), self.gradient(x, m), self.curvature(x, m)

    def newton(self, x: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same with the curvature of the loss itself where it has one: fewer steps, which must be watched."""
        return self.parabola(x, m)

    @abstractmethod
    def best(self, m: np.ndarray) -> np.ndarray:
        """The cell the model stands for, (n, g): the number expected, the most probable level."""

    def mean(self, m: np.ndarray, variance: np.ndarray) -> np.ndarray:
        """The cell expected, (n, g), where the model's number is normal around m with this variance."""
        return self.best(m)

    def interval(self, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The cells between which a cell lies if the model's number lies between these; for numbers."""
        return low, high

    def deviation(self, m: np.ndarray, variance: np.ndarray) -> np.ndarray:
        """The standard deviation of the cell, (n, g), under the same law; for numbers."""
        return np.sqrt(variance)

    def confidence(self, m: np.ndarray, variance: np.ndarray | None = None) -> np.ndarray | None:
        """The probability of the level that `best` gives, (n, g); None for numbers.

        Losses that are likelihoods know it from m alone; others also need how much m may vary.
        """
        return None

    def error(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        """How wrong the model is about each cell, (n, g), in a measure that all losses of such columns share.

        The squared difference from the number expected; for levels Brier's score.
        """
        squares: np.ndarray = (x - self.best(m)) ** 2
        return squares

    @abstractmethod
    def constant(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """The m that serves all rows best, (g · width,); x holds NaN where nothing was observed."""

    def fitted(self, x: np.ndarray, weights: np.ndarray) -> Loss:
        """The loss with what it must know of its columns, such as the number of levels."""
        return self

    def targets(self, x: np.ndarray) -> np.ndarray:
        """For quadratic losses the t of ½ (t - m)², (n, g · width)."""
        return x

    def at_start(self) -> Loss:
        """The loss whose parabolas at the constants a fit starts from: another one where this has none at 0."""
        return self

    def degrees(self) -> int:
        """How many numbers a cell is worth when inertia is counted: levels less one, or 1."""
        return max(self.width - 1, 1)

    def problem(self, x: np.ndarray) -> str:
        """Why a column of such values cannot be measured by this loss, or nothing; NaN is no reason."""
        return ""
