"""No entry below 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unmix.constraints.base import Entry
from unmix.constraints.entrywise import Entrywise
from unmix.core.arguments import zero_or_more


@dataclass(frozen=True)
class NonNegative(Entrywise):
    """Entries a ≥ 0, which may pay l1 a + ½ l2 a²: parts that add up and never cancel.

        prox(v) = max(v - t l1, 0) / (1 + t l2)

    Parameters
    ----------
    l1, l2 : float, default=0.0
        0 or more; l1 makes small entries 0.

    References
    ----------
    Lee & Seung, Nature 401, 1999; Hoyer, J. Machine Learning Research 5, 2004.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.constraints import NonNegative
    >>> NonNegative().prox(np.array([[-3.0, 0.5]]), 1.0)
    array([[0. , 0.5]])
    """

    l1: float = 0.0
    l2: float = 0.0
    name: ClassVar[str] = "non_negative"

    def __post_init__(self) -> None:
        zero_or_more("l1", self.l1)
        zero_or_more("l2", self.l2)

    @property
    def entry(self) -> Entry:
        return Entry(self.l1, self.l2, low=0.0)
