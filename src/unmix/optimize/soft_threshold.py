"""Shrinking every entry towards zero: the proximal operator of the sum of absolute values.

    prox(v) = argmin_x  t ‖x‖₁ + ½ ‖x - v‖²  =  sign(v) max(|v| - t, 0)

Donoho, IEEE Trans. Information Theory 41, 1995; Parikh & Boyd, Proximal Algorithms, 2014.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.optimize.arguments import checked_size, floats


def prox_l1(v: Any, t: float | np.ndarray = 1.0) -> np.ndarray:
    """Every entry of ``v`` moved towards zero by ``t``, those nearer than that set to zero.

    Parameters
    ----------
    v : array
    t : float or array that broadcasts with v
        Weight of the penalty, 0 or more.

    Examples
    --------
    >>> prox_l1([3.0, -0.5, -2.0], 1.0)
    array([ 2.,  0., -1.])
    """
    point = floats(v, "v")
    with np.errstate(over="ignore"):  # beyond the largest number of single precision it is infinity: nothing stays
        size = checked_size(t, "t").astype(point.dtype, copy=False)
    return point - np.clip(point, -size, size)
