"""The nearest point of a ball, ‖x - center‖ ≤ radius: the point itself or the one on the ray to it.

By Moreau's identity v = prox_f(v) + prox_f*(v) it also gives the proximal operator of the norm, v - project_ball(v, t).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.optimize.arguments import checked_size, floats, refuse_infinity
from unmix.optimize.units import power_of_two


def project_ball(v: Any, radius: float = 1.0, center: Any = 0.0, axis: int | None = None) -> np.ndarray:
    """The point of the Euclidean ball nearest to ``v``.

    A matrix is taken as one long vector, or as many that lie along ``axis``: with 1 each row for itself.

    Examples
    --------
    >>> project_ball([3.0, 4.0], radius=1.0)
    array([0.6, 0.8])
    """
    point = np.asarray(floats(v, "v"), order="C")  # sums are then the same to the bit, however the memory lies
    middle = floats(center, "center").astype(point.dtype)
    refuse_infinity(point, "v")  # no ray leads there
    refuse_infinity(middle, "center")
    limit = float(checked_size(radius, "radius"))
    largest = np.abs(point).max(axis=axis, keepdims=True, initial=0.0)
    unit = power_of_two(np.maximum(largest, np.abs(middle).max(initial=0.0)).astype(np.float64))
    offset = point / unit - middle / unit  # neither it nor its squares overflow
    distance = np.sqrt(np.square(offset).sum(axis=axis, keepdims=True))
    with np.errstate(over="ignore"):
        inside = distance <= limit / unit
    nearest = middle + offset / np.where(distance > 0, distance, 1.0) * limit
    return np.where(inside, point, nearest).astype(point.dtype)
