"""The nearest point of a ball, ‖x - center‖ ≤ radius: the point itself or the one on the ray to it.

By Moreau's identity v = prox_f(v) + prox_f*(v) it also gives the proximal operator of the norm, v - project_ball(v, t).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.optimize.arguments import checked_size, floats, refuse_infinity
from unmix.optimize.units import power_of_two


def project_ball(v: Any, radius: float = 1.0, center: Any = 0.0) -> np.ndarray:
    """The point of the Euclidean ball nearest to ``v``; a matrix is taken as one long vector.

    Examples
    --------
    >>> project_ball([3.0, 4.0], radius=1.0)
    array([0.6, 0.8])
    """
    point = floats(v, "v")
    middle = floats(center, "center").astype(point.dtype)
    refuse_infinity(point, "v")  # no ray leads there
    refuse_infinity(middle, "center")
    limit = float(checked_size(radius, "radius"))
    unit = float(power_of_two(max(float(np.abs(side).max(initial=0.0)) for side in (point, middle))))
    offset = point / unit - middle / unit  # neither it nor its squares overflow
    distance = float(np.linalg.norm(offset.astype(np.float64)))
    if distance <= limit / unit:
        return np.array(np.broadcast_to(point, offset.shape))
    return np.asarray(middle + offset / distance * limit, dtype=point.dtype)
