"""The nearest point of a ball, ‖x - center‖ ≤ radius: the point itself or the one on the ray to it.

By Moreau's identity v = prox_f(v) + prox_f*(v) it also gives the proximal operator of the norm, v - project_ball(v, t).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.optimize.arguments import checked_size, floats


def project_ball(v: Any, radius: float = 1.0, center: Any = 0.0) -> np.ndarray:
    """The point of the Euclidean ball nearest to ``v``; a matrix is taken as one long vector.

    Examples
    --------
    >>> project_ball([3.0, 4.0], radius=1.0)
    array([0.6, 0.8])
    """
    point = floats(v, "v")
    middle = floats(center, "center").astype(point.dtype)
    limit = float(checked_size(radius, "radius"))
    offset = point - middle
    largest = float(np.abs(offset).max(initial=0.0))
    distance = largest * float(np.linalg.norm(offset / largest)) if largest > 0 else 0.0  # squares must not overflow
    if distance <= limit:
        return point.copy()
    return np.asarray(middle + offset * point.dtype.type(limit / distance))
