"""A standard normal law of every code: ½ a² for each entry, and codes that are not known for sure.

Under quadratic losses a factorization whose codes are normal is factor analysis: the uncertainty of the codes counts,
and every column has a noise of its own.  Rubin & Thayer, Psychometrika 47, 1982.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from unmix.constraints.base import Entry
from unmix.constraints.entrywise import Entrywise


@dataclass(frozen=True)
class Normal(Entrywise):
    """Codes drawn from a standard normal law.

    Examples
    --------
    >>> import numpy as np
    >>> Normal().penalty(np.array([[3.0, 4.0]]))
    array([12.5])
    """

    name: ClassVar[str] = "normal"
    rotates: ClassVar[bool] = True

    @property
    def entry(self) -> Entry:
        return Entry(l2=1.0)
