"""An image as the methods see it: planes (c, h, w) of single-precision numbers between -1 and 1, NaN where missing.

Single precision relative to the image's own range is finer than any camera; a constant image becomes exact zeros.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

INTEGER_TYPES = (np.uint8, np.uint16)


class Picture(NamedTuple):
    """The planes, what takes them back (value = middle + half · plane), and what was given."""

    planes: np.ndarray
    middle: float
    half: float
    given: np.ndarray

    def close(self, planes: np.ndarray) -> np.ndarray:
        """Planes back in the shape, the units and the dtype of the image that was given."""
        values = self.middle + self.half * planes.astype(np.float64)
        values = np.moveaxis(values, 0, -1).reshape(self.given.shape)
        kind = self.given.dtype
        if kind.kind == "u":
            values = np.clip(np.rint(values), 0, np.iinfo(kind).max)
        return values.astype(kind)


def open_picture(image: np.ndarray, missing: np.ndarray | None = None) -> Picture:
    """Check an image, grey (h, w) or (h, w, 1) or colour (h, w, 3); `missing` are pixels not to be looked at."""
    given = np.asarray(image)
    check_shape(given)
    if given.dtype not in INTEGER_TYPES and given.dtype.kind != "f":
        raise ValueError(f"image has dtype {given.dtype}; give uint8, uint16 or floating point numbers")
    values = np.atleast_3d(given).astype(np.float64)
    if missing is not None:
        values[missing] = np.nan
    elif np.isnan(values).any():
        raise ValueError("image has NaN, which mark missing pixels; fill them first, with unmix.images.inpaint")
    if np.isinf(values).any():
        raise ValueError("image has infinite values; replace them, or set them to NaN and use unmix.images.inpaint")
    if np.isnan(values).all():
        raise ValueError("image has no observed pixel; the mask must be False somewhere (True marks missing pixels)")
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    middle = low / 2 + high / 2
    half = high / 2 - low / 2 or 1.0
    planes = np.moveaxis((values - middle) / half, -1, 0)
    return Picture(np.ascontiguousarray(planes, np.float32), middle, half, given)


def check_shape(image: np.ndarray) -> None:
    if image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] not in (1, 3)):
        raise ValueError(
            f"image has shape {image.shape}; give grey (height, width) or colour (height, width, 3), without alpha"
        )
    if min(image.shape[:2]) < 2:
        raise ValueError(f"image has shape {image.shape}; patches need at least 2 pixels each way")
