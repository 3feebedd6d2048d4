"""A factor that is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from unmix.constraints.base import Constraint, Step
from unmix.core.arguments import as_numbers


@dataclass(frozen=True, eq=False)
class Fixed(Constraint):
    """Always these values: spectra that were measured, a dictionary from elsewhere, a design.

    Parameters
    ----------
    values : array of shape (m, k)
        The factor itself.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.constraints import Fixed
    >>> Fixed([[1.0, 2.0]]).prox(np.array([[-3.0, 0.5]]), 1.0)
    array([[1., 2.]])
    """

    values: Any
    name: ClassVar[str] = "fixed"
    scope: ClassVar[str] = "matrix"
    symmetric: ClassVar[bool] = False
    bounded: ClassVar[bool] = True

    def __post_init__(self) -> None:
        values = as_numbers(self.values, "values").copy()
        if values.ndim != 2:
            raise ValueError(f"values has {values.ndim} dimension(s); give a matrix whose rows are the vectors")
        if not np.isfinite(values).all():
            raise ValueError("values holds NaN or infinity; give finite numbers")
        values.flags.writeable = False
        object.__setattr__(self, "values", values)

    def prox(self, V: np.ndarray, step: Step) -> np.ndarray:
        self._check_shape(V)
        return self.values.astype(V.dtype)

    def penalty(self, V: np.ndarray) -> np.ndarray:
        return np.zeros(len(V))

    def violation(self, V: np.ndarray) -> float:
        self._check_shape(V)
        return float(np.abs(V - self.values.astype(V.dtype)).max(initial=0.0))

    def exchanges(self, axis: int) -> bool:
        return False

    def solve(self, gram: np.ndarray, cross: np.ndarray, V: np.ndarray) -> np.ndarray:
        return self.prox(V, 0.0)

    def _check_shape(self, V: np.ndarray) -> None:
        if V.shape != self.values.shape:
            raise ValueError(
                f"the fixed values have shape {self.values.shape}, the factor has {V.shape}; give values of its shape"
            )
