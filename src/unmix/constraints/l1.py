"""Few entries other than 0, by their absolute values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unmix.constraints.base import Entry
from unmix.constraints.entrywise import Entrywise
from unmix.core.arguments import zero_or_more


@dataclass(frozen=True)
class L1(Entrywise):
    """Pay λ ‖v‖₁ for every vector, and ½ l2 ‖v‖² besides (the elastic net): small entries become 0.

        prox(v) = sign(v) max(|v| - t λ, 0) / (1 + t l2)

    Parameters
    ----------
    strength : float, default=1.0
        λ, 0 or more.
    l2 : float, default=0.0
        0 or more; above 0 entries that say the same share what one of them would have alone.

    References
    ----------
    Tibshirani, J. Royal Statistical Society B 58, 1996; Zou & Hastie, ibid. 67, 2005.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.constraints import L1
    >>> L1(1.0).prox(np.array([[-3.0, 0.5]]), 1.0)
    array([[-2.,  0.]])
    """

    strength: float = 1.0
    l2: float = 0.0
    name: ClassVar[str] = "l1"

    def __post_init__(self) -> None:
        zero_or_more("strength", self.strength)
        zero_or_more("l2", self.l2)

    @property
    def entry(self) -> Entry:
        return Entry(l1=self.strength, l2=self.l2)
