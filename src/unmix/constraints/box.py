"""Entries between two limits."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import ClassVar

from unmix.constraints.base import Entry
from unmix.constraints.entrywise import Entrywise


@dataclass(frozen=True)
class Box(Entrywise):
    """Entries low ≤ a ≤ high; between 0 and 1 they are degrees of belonging that need not add up to 1.

    Parameters
    ----------
    low, high : float, default=0.0 and 1.0
        Either may be infinite.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.constraints import Box
    >>> Box().prox(np.array([[-3.0, 0.5, 2.0]]), 1.0)
    array([[0. , 0.5, 1. ]])
    """

    low: float = 0.0
    high: float = 1.0
    name: ClassVar[str] = "box"

    def __post_init__(self) -> None:
        for side in ("low", "high"):
            if not isinstance(getattr(self, side), Real):
                raise ValueError(f"{side}={getattr(self, side)!r}: give a number")
        if not (self.low <= self.high and self.low < float("inf") and self.high > -float("inf")):
            raise ValueError(f"low={self.low!r} and high={self.high!r}: no number lies between them; give low ≤ high")

    @property
    def entry(self) -> Entry:
        return Entry(low=self.low, high=self.high)
