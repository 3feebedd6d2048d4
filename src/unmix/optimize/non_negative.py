"""The nearest point without negative entries: the proximal operator of the constraint x ≥ 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.optimize.arguments import floats


def project_non_negative(v: Any) -> np.ndarray:
    """Negative entries set to zero.

    Examples
    --------
    >>> project_non_negative([-1.0, 2.0])
    array([0., 2.])
    """
    point = floats(v, "v")
    return np.maximum(point, point.dtype.type(0))
