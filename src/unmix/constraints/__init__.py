"""What a factor of X ≈ Z U may be, one constraint a file."""

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
