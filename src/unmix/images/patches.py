"""Work on all overlapping patches of an image, band by band, and the average of what they say of each pixel.

    x̂_p = Σ_i w_i (R_iᵀ x̂_i)_p / Σ_i w_i [p in patch i]

R_i cuts patch i out, x̂_i is its estimate.  Bands run on threads and are added in their order, so that the number of
threads does not change a bit; memory is that of the image and of a few bands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from unmix.core.execution import current_execution
from unmix.core.threads import one_blas_thread, run_in_order

PATCHES = 2048  # in a band, about


class Grid(NamedTuple):
    """The top left corners of all patches: every row with every column."""

    rows: np.ndarray
    columns: np.ndarray
    size: int

    @property
    def n_patches(self) -> int:
        return len(self.rows) * len(self.columns)

    def bands(self) -> list[np.ndarray]:
        """Corner rows, in groups of about PATCHES patches."""
        together = max(PATCHES // len(self.columns), 1)
        return [self.rows[start : start + together] for start in range(0, len(self.rows), together)]


class Estimate(NamedTuple):
    """What a band says of its patches: sparse codes, the level taken off each channel before, and how far to trust."""

    codes: np.ndarray
    levels: np.ndarray
    weights: np.ndarray


def corners(length: int, size: int, stride: int, first: int = 0) -> np.ndarray:
    """From `first` on every `stride` pixels, and both ends, so that no pixel is left out."""
    last = length - size
    return np.unique(np.concatenate([[0], np.arange(first, last + 1, stride), [last]]))


def grid_of(image: np.ndarray, size: int, stride: int, first: int = 0) -> Grid:
    """The patches of an image (c, h, w)."""
    return Grid(corners(image.shape[1], size, stride, first), corners(image.shape[2], size, stride, first), size)


def extract_patches(image: np.ndarray, rows: np.ndarray, columns: np.ndarray, size: int) -> np.ndarray:
    """Patches as rows (n, c size²) of a matrix, all columns of the first corner row first."""
    windows = sliding_window_view(image, (size, size), axis=(1, 2))
    chosen = windows[:, rows[:, None], columns[None, :]]
    return np.ascontiguousarray(chosen.transpose(1, 2, 0, 3, 4)).reshape(len(rows) * len(columns), -1)


def cut_at(image: np.ndarray, grid: Grid, places: np.ndarray) -> np.ndarray:
    """The patches whose numbers, counted row by row, are `places`."""
    windows = sliding_window_view(image, (grid.size, grid.size), axis=(1, 2))
    rows, columns = np.divmod(places, len(grid.columns))
    chosen = windows[:, grid.rows[rows], grid.columns[columns]]
    return np.ascontiguousarray(chosen.transpose(1, 0, 2, 3)).reshape(len(places), -1)


def average(
    image: np.ndarray,
    grid: Grid,
    atoms: np.ndarray,
    estimate: Callable[[np.ndarray], Estimate],
    said: Callable[[int, int], None] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Sums (c, h, w) of the weighted estimates of all patches, and the weights (h, w); `said` hears of each band."""
    from unmix.images.patch_kernel import add_patches

    total, weight = np.zeros(image.shape), np.zeros(image.shape[1:])
    bands = grid.bands()

    def work(i: int) -> tuple[slice, np.ndarray, np.ndarray]:
        rows = bands[i]
        strip = slice(int(rows[0]), int(rows[-1]) + grid.size)
        codes, levels, trust = estimate(extract_patches(image[:, strip], rows - rows[0], grid.columns, grid.size))
        part, share = np.zeros(image[:, strip].shape), np.zeros(image[0, strip].shape)
        add_patches(
            part, share, rows - rows[0], grid.columns, grid.size, codes["atom"], codes["value"], atoms, levels, trust
        )
        return strip, part, share

    def keep(i: int, result: tuple[slice, np.ndarray, np.ndarray]) -> None:
        strip, part, share = result
        total[:, strip] += part
        weight[strip] += share
        if said is not None:
            said(i + 1, len(bands))

    with one_blas_thread():
        run_in_order(work, len(bands), keep, current_execution().n_threads)
    return total, weight


def subtract_levels(rows: np.ndarray, channels: int) -> tuple[np.ndarray, np.ndarray]:
    """Patches (n, d) without their levels, and the levels (n, channels): means of channels over known pixels,
    0 where it has none.
    """
    parts = rows.reshape(len(rows), channels, -1)
    known = ~np.isnan(parts)
    counts = np.maximum(known.sum(axis=2), 1)
    levels = (np.where(known, parts, 0).sum(axis=2, dtype=np.float64) / counts).astype(rows.dtype)
    return (parts - levels[:, :, None]).reshape(rows.shape), levels
