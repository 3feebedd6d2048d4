"""A cost in another unit: s R at the temperature s T is R at T, so that whoever follows R / T sees no difference.

At temperatures near 1 a step that follows R / T² is nearly right; in another unit it is not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.costs.base import Cost, HasFields, HasPrototypes, HasVectors

SCALES = (2.0**10, 2.0**-10)  # powers of two: no rounding
LINEAR = ("total", "fields", "expected", "distances")  # what is in the unit of the cost


def only(cost: Any, kind: Any) -> Any:
    """The cost with the methods of one capability, and with what it says of itself."""
    names = [name for name in dir(kind) if not name.startswith("_")]
    names += [name for name in ("mean_is_bound", "named_clusters", "start") if hasattr(cost, name)]
    bare = type("Bare" + type(cost).__name__, (), {})()
    for name in names:
        setattr(bare, name, getattr(cost, name))
    return bare


def scaled(cost: Any, kinds: tuple[Any, ...], scale: float) -> Any:
    """The cost times a number, with the capability that is required; None where kernels know its unit."""
    kind = next(kind for kind in kinds if isinstance(cost, kind))
    if kind not in (Cost, HasFields, HasPrototypes, HasVectors):
        return None
    other = only(cost, kind)
    for name in LINEAR:
        if hasattr(other, name):
            setattr(other, name, _times(getattr(cost, name), scale))
    if hasattr(other, "vectors"):
        other.vectors = _times(cost.vectors, np.sqrt(scale))
    return other


def _times(method: Any, scale: float) -> Any:
    return lambda *given: scale * method(*given)
