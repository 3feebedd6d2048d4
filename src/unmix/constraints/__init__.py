"""What a factor of X ≈ Z U may be, one constraint a file.

They stand side by side, because a new one is written by looking at the nearest of them.
"""

from typing import TYPE_CHECKING

from unmix.core.public_names import on_first_use

if TYPE_CHECKING:
    from unmix.constraints.base import Constraint, Entry
    from unmix.constraints.box import Box
    from unmix.constraints.fixed import Fixed
    from unmix.constraints.free import Free
    from unmix.constraints.group import Group
    from unmix.constraints.l1 import L1
    from unmix.constraints.named import resolve
    from unmix.constraints.non_negative import NonNegative
    from unmix.constraints.normal import Normal
    from unmix.constraints.one_hot import OneHot
    from unmix.constraints.orthonormal import Orthonormal
    from unmix.constraints.ridge import Ridge
    from unmix.constraints.simplex import Simplex
    from unmix.constraints.smooth import Smooth
    from unmix.constraints.sparse import Sparse
    from unmix.constraints.unit_norm import UnitNorm

__all__ = [
    "L1",
    "Box",
    "Constraint",
    "Entry",
    "Fixed",
    "Free",
    "Group",
    "NonNegative",
    "Normal",
    "OneHot",
    "Orthonormal",
    "Ridge",
    "Simplex",
    "Smooth",
    "Sparse",
    "UnitNorm",
    "resolve",
]

on_first_use(
    __name__,
    {
        "unmix.constraints.base": "Constraint Entry",
        "unmix.constraints.box": "Box",
        "unmix.constraints.fixed": "Fixed",
        "unmix.constraints.free": "Free",
        "unmix.constraints.group": "Group",
        "unmix.constraints.l1": "L1",
        "unmix.constraints.named": "resolve",
        "unmix.constraints.non_negative": "NonNegative",
        "unmix.constraints.normal": "Normal",
        "unmix.constraints.one_hot": "OneHot",
        "unmix.constraints.orthonormal": "Orthonormal",
        "unmix.constraints.ridge": "Ridge",
        "unmix.constraints.simplex": "Simplex",
        "unmix.constraints.smooth": "Smooth",
        "unmix.constraints.sparse": "Sparse",
        "unmix.constraints.unit_norm": "UnitNorm",
    },
)
