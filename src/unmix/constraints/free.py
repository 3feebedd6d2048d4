"""No constraint at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmix.constraints.base import Entry, Step
from unmix.constraints.entrywise import Entrywise


@dataclass(frozen=True)
class Free(Entrywise):
    """Any real matrix.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.constraints import Free
    >>> Free().prox(np.array([[-2.0, 1.0]]), 1.0)
    array([[-2.,  1.]])
    """

    name: ClassVar[str] = "free"
    rotates: ClassVar[bool] = True

    @property
    def entry(self) -> Entry:
        return Entry()

    def prox(self, V: np.ndarray, step: Step) -> np.ndarray:
        return V.copy()
