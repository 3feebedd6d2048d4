"""A first guess at missing pixels: averages of what is known nearby, from coarse to fine, relaxed towards harmonic.

Each level halves the image, a pixel of which is known where one of its four is; the coarser guess fills the finer one,
and a few Jacobi steps, x_p ← mean of its neighbours for missing p, take the blocks away.  Multigrid in one sweep.
"""

from __future__ import annotations

import numpy as np

STEPS = 8  # of Jacobi on every level


def fill(planes: np.ndarray) -> np.ndarray:
    """Planes (c, h, w) with NaN replaced; a plane without a known pixel becomes zero."""
    known = ~np.isnan(planes)
    if known.all():
        return planes.copy()
    values = np.where(known, planes, 0)
    if (min(planes.shape[1:]) == 1 and max(planes.shape[1:]) <= 2) or not known.any():
        sums, counts = values.sum(axis=(1, 2), keepdims=True), known.sum(axis=(1, 2), keepdims=True)
        return np.where(known, values, sums / np.maximum(counts, 1)).astype(planes.dtype)
    coarse = fill(downsampled(values, known))
    h, w = planes.shape[1:]
    guess = np.repeat(np.repeat(coarse, 2, axis=1), 2, axis=2)[:, :h, :w]
    return relaxed(np.where(known, planes, guess).astype(planes.dtype), known)


def downsampled(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Means of the known pixels of 2×2 squares, NaN where there is none; odd edges stand alone."""
    odd = ((0, 0), (0, values.shape[1] % 2), (0, values.shape[2] % 2))
    values, counts = np.pad(values, odd), np.pad(known.astype(values.dtype), odd)
    c, h, w = values.shape
    sums, counts = (a.reshape(c, h // 2, 2, w // 2, 2).sum(axis=(2, 4)) for a in (values, counts))
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan).astype(values.dtype)


def relaxed(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    for _ in range(STEPS):
        wide = np.pad(values, ((0, 0), (1, 1), (1, 1)), mode="edge")
        mean = (wide[:, :-2, 1:-1] + wide[:, 2:, 1:-1] + wide[:, 1:-1, :-2] + wide[:, 1:-1, 2:]) / 4
        values = np.where(known, values, mean).astype(values.dtype)
    return values
