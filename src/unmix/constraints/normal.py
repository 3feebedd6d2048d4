"""A standard normal law of every code: ½ a² for each entry, and codes that are not known for sure.

Under quadratic losses a factorization whose codes are normal is factor analysis: the uncertainty of the codes counts,
and every column has a noise of its own.  Rubin & Thayer, Psychometrika 47, 1982.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unmix.constraints.base import Entry
from unmix.constraints.entrywise import Entrywise
from unmix.core.arguments import zero_or_more


@dataclass(frozen=True)
class Normal(Entrywise):
    """Codes drawn from a standard normal law.

    Parameters
    ----------
    most_precision : float, default=10.0
        How many rows without a component hold it down at most; above 0. With few, one that tells little is small but
        there, as cells are told best; with many, such as 1e5, it vanishes, and those that are left can be counted.

    Examples
    --------
    >>> import numpy as np
    >>> Normal().penalty(np.array([[3.0, 4.0]]))
    array([12.5])
    """

    most_precision: float = 10.0
    name: ClassVar[str] = "normal"
    rotates: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not zero_or_more("most_precision", self.most_precision):
            raise ValueError("most_precision=0: give a number above 0")

    @property
    def entry(self) -> Entry:
        return Entry(l2=1.0)
