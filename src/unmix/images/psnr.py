"""How near an image is to the true one, in decibels: 10 log10(range² / mean square error)."""

from __future__ import annotations

from numbers import Real

import numpy as np


def psnr(truth: np.ndarray, image: np.ndarray, data_range: float | None = None) -> float:
    """Peak signal-to-noise ratio; 30 is usable, 40 is hard to tell apart, equal images give infinity.

    Parameters
    ----------
    truth, image : arrays of one shape
    data_range : float, optional
        The distance from black to white. By default 255 for uint8, 65535 for uint16, 1 for floating point numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.images import psnr
    >>> psnr(np.zeros((4, 4)), np.full((4, 4), 0.1))
    20.0
    """
    truth, image = np.asarray(truth), np.asarray(image)
    if truth.shape != image.shape:
        raise ValueError(f"truth has shape {truth.shape} and image {image.shape}; they must agree")
    if data_range is None:
        data_range = float(np.iinfo(truth.dtype).max) if truth.dtype.kind == "u" else 1.0
    if not (isinstance(data_range, Real) and 0 < data_range < np.inf):
        raise ValueError(f"data_range={data_range!r}: give the distance from black to white, a number above 0")
    error = np.mean((truth.astype(np.float64) - image.astype(np.float64)) ** 2)
    return float("inf") if error == 0 else float(np.round(10 * np.log10(data_range**2 / error), 12))
