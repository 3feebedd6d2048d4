"""Constraints by their names."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.constraints.base import Constraint
from unmix.constraints.box import Box
from unmix.constraints.fixed import Fixed
from unmix.constraints.free import Free
from unmix.constraints.group import Group
from unmix.constraints.l1 import L1
from unmix.constraints.non_negative import NonNegative
from unmix.constraints.normal import Normal
from unmix.constraints.one_hot import OneHot
from unmix.constraints.orthonormal import Orthonormal
from unmix.constraints.ridge import Ridge
from unmix.constraints.simplex import Simplex
from unmix.constraints.smooth import Smooth
from unmix.constraints.sparse import Sparse
from unmix.constraints.unit_norm import UnitNorm
from unmix.core.arguments import one_of

CONSTRAINTS: dict[str, type[Constraint]] = {
    "free": Free,
    "ridge": Ridge,
    "normal": Normal,
    "l1": L1,
    "sparse": Sparse,
    "non_negative": NonNegative,
    "simplex": Simplex,
    "one_hot": OneHot,
    "orthonormal": Orthonormal,
    "unit_norm": UnitNorm,
    "box": Box,
    "smooth": Smooth,
    "group": Group,
}


def resolve(constraint: Any, parameter: str = "constraint") -> Constraint:
    """The constraint that a name, a constraint or the fixed values of a factor stand for.

    Parameters
    ----------
    constraint : str, Constraint or array of shape (m, k)
        A name stands for the constraint with its default strength; an array for `Fixed`.
    parameter : str, default="constraint"
        What messages call it.

    Returns
    -------
    Constraint

    Examples
    --------
    >>> from unmix.constraints import resolve
    >>> resolve("ridge")
    Ridge(strength=1.0)
    """
    if isinstance(constraint, Constraint):
        return constraint
    if isinstance(constraint, type) and issubclass(constraint, Constraint):
        raise ValueError(f"{parameter}={constraint.__name__} is a class; give an instance, {constraint.__name__}(…)")
    if isinstance(constraint, (list, tuple, np.ndarray)) or hasattr(constraint, "__array__"):
        return Fixed(constraint)
    one_of(parameter, constraint, [*CONSTRAINTS], "a Constraint, or the values of the factor as an array")
    return CONSTRAINTS[constraint]()
