"""level · r for r = x - m above 0, (level - 1) · r below: the loss whose best constant is a quantile.

It is ½ |r| + (level - ½) r.  The corner of |r| is rounded as in `absolute`: with c = max(|r|, ε) it is replaced by
½ (r² / c + c), and ½ / c is the curvature of a parabola above it.  Hunter and Lange, "Quantile regression via an MM
algorithm", Journal of Computational and Graphical Statistics 9, 2000.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from unmix.losses.base import Loss
from unmix.losses.parts.domain import not_finite
from unmix.losses.parts.location import root, total_slope, weighted_quantile
from unmix.losses.parts.parameter import Parameter, along_columns, number_or_tuple


@dataclass(frozen=True)
class Quantile(Loss):
    """Too low costs `level`, too high costs 1 - `level`, for a quantile of numbers.

    Parameters
    ----------
    level : float or one a column, default=0.5
        Of the quantile, between 0 and 1.
    rounding : float or one a column, default=0.01
        Differences below it, in units of the column, are squared instead.

    Examples
    --------
    >>> import numpy as np
    >>> Quantile(level=0.9).value(np.array([[1.0, -1.0]]), np.zeros((1, 2)))
    array([[0.9, 0.1]])
    """

    level: Parameter = 0.5
    rounding: Parameter = 0.01

    name: ClassVar[str] = "quantile"
    in_units: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "level", number_or_tuple("level", self.level, 0.0, 1.0))
        object.__setattr__(self, "rounding", number_or_tuple("rounding", self.rounding, 0.0))

    def value(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return self.parabola(x, m)[0]

    def gradient(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        r = m - x
        return 0.5 * (r / self._rounded(r)) - self._lean(r)

    def curvature(self, x: np.ndarray, m: np.ndarray) -> np.ndarray:
        return 0.5 / self._rounded(m - x)

    def parabola(self, x: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        r = m - x
        c, lean = self._rounded(r), self._lean(r)
        half = 0.5 * (r / c)
        return r * (0.5 * half - lean) + 0.25 * c, half - lean, 0.5 / c

    def best(self, m: np.ndarray) -> np.ndarray:
        return m

    def constant(self, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
        # a width beside the quantile what is on its other side pulls with its full weight
        near = weighted_quantile(x, weights, np.asarray(self.level))
        return root(total_slope(self.gradient, x, weights), near - self.rounding, near + self.rounding)

    def problem(self, x: np.ndarray) -> str:
        return not_finite(x)

    def _rounded(self, r: np.ndarray) -> np.ndarray:
        """The c of the formula."""
        return np.maximum(np.abs(r), along_columns(self.rounding, r))

    def _lean(self, r: np.ndarray) -> Any:
        return along_columns(self.level, r) - 0.5
