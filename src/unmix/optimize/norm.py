"""Lengths of vectors and what is made of them, whatever their unit: nothing overflows, nothing is lost to underflow.

    prox(v) = argmin_x  t ‖x‖ + ½ ‖x - v‖²  =  max(1 - t / ‖v‖, 0) v

Yuan & Lin, J. Royal Statistical Society B 68, 2006; Parikh & Boyd, Proximal Algorithms, 2014.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.optimize.arguments import checked_size, floats, refuse_infinity
from unmix.optimize.units import power_of_two


def lengths(v: Any, axis: int | None = None) -> np.ndarray:
    """Euclidean lengths along an axis, in double precision; infinity only where a length itself is too large."""
    _, unit, length = in_units(floats(v, "v"), axis)
    with np.errstate(over="ignore"):
        return np.asarray((unit * length).squeeze(axis))


def in_units(point: np.ndarray, axis: int | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vectors in units of about their largest entry, these units, and the lengths in them (both keep the axis)."""
    refuse_infinity(point, "v")
    point = np.asarray(point, order="C")  # sums are then the same to the bit, however the memory lies
    unit = power_of_two(np.abs(point).max(axis=axis, keepdims=True, initial=0.0).astype(np.float64))
    small = point / unit
    return small, unit, np.sqrt(np.square(small).sum(axis=axis, keepdims=True))


def directions(v: Any, axis: int | None = None) -> np.ndarray:
    """Vectors divided by their lengths; 0 stays 0."""
    point = floats(v, "v")
    small, _, length = in_units(point, axis)
    return (small / np.where(length > 0, length, 1.0)).astype(point.dtype)


def prox_norm(v: Any, t: float | np.ndarray = 1.0, axis: int | None = None) -> np.ndarray:
    """``v`` shortened by ``t``, and 0 where it is no longer than that.

    Parameters
    ----------
    v : array
    t : float or array that broadcasts with the lengths
        Weight of the norm, 0 or more.
    axis : int, optional
        Along which the vectors lie: with 1 the rows of a matrix are vectors. By default all of v is one.

    Returns
    -------
    array like v

    Examples
    --------
    >>> prox_norm([3.0, 4.0], 1.0)
    array([2.4, 3.2])
    """
    point = floats(v, "v")
    _, unit, length = in_units(point, axis)
    with np.errstate(over="ignore"):
        short = checked_size(t, "t") / unit / np.where(length > 0, length, 1.0)
    return (point * np.maximum(1 - short, 0.0)).astype(point.dtype)
