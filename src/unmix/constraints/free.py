"""No constraint at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmix.constraints.base import Constraint, Entry, Step


@dataclass(frozen=True)
class Free(Constraint):
    """Any real matrix.

    Examples
    --------
    >>> import numpy as np
    >>> Free().prox(np.array([[-2.0, 1.0]]), 1.0)
    array([[-2.,  1.]])
    """

    name: ClassVar[str] = "free"
    scope: ClassVar[str] = "entry"
    rotates: ClassVar[bool] = True

    @property
    def entry(self) -> Entry:
        return Entry()

    def prox(self, V: np.ndarray, step: Step) -> np.ndarray:
        return V.copy()

    def penalty(self, V: np.ndarray) -> np.ndarray:
        return np.zeros(len(V))

    def violation(self, V: np.ndarray) -> float:
        return 0.0
