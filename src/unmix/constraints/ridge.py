"""Small entries, by their squares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unmix.constraints.base import Entry
from unmix.constraints.entrywise import Entrywise
from unmix.core.arguments import zero_or_more


@dataclass(frozen=True)
class Ridge(Entrywise):
    """Pay ½ λ ‖v‖² for every vector: all entries shrink, none to 0.

        prox(v) = v / (1 + t λ)

    A ridge on both factors is the nuclear norm of their product.

    Parameters
    ----------
    strength : float, default=1.0
        λ, 0 or more.

    References
    ----------
    Hoerl & Kennard, Technometrics 12, 1970; Srebro, Rennie & Jaakkola, NIPS 2004.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.constraints import Ridge
    >>> Ridge(3.0).prox(np.array([[-2.0, 1.0]]), 1.0)
    array([[-0.5 ,  0.25]])
    """

    strength: float = 1.0
    name: ClassVar[str] = "ridge"
    rotates: ClassVar[bool] = True

    def __post_init__(self) -> None:
        zero_or_more("strength", self.strength)

    @property
    def entry(self) -> Entry:
        return Entry(l2=self.strength)
