"""In how many directions rows vary, where channels are of different units.

Rank does not change when channels are scaled, but what rounding leaves of it does: the small channels drown in the
rounding of the large ones.  It is decided on channels of about unit variance.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.principal import spectrum as by_shape
from unmix.algorithms.principal.double_blocks import DoubleBlocks
from unmix.algorithms.principal.spectrum import WEAK_FACTOR, Spectrum, choose_solver, spectrum
from unmix.core.blocks import RowBlocks
from unmix.core.linalg import complete_basis
from unmix.core.scaling.standardize import StandardizedBlocks, Units, inverse_powers_of_two

RELATIVE = 32.0  # roundings of the largest number by which a direction must vary
MIXED_RATIO = 32.0  # ratio of standard deviations from which on channels count as of different units


class Scaled(NamedTuple):
    """The spectrum of the scaled rows; its mean is that of the rows as they are, times the scale."""

    found: Spectrum
    mean: np.ndarray  # of the rows, in their own units
    scale: np.ndarray
    rank: int


def mixed_units(found: Spectrum, X: RowBlocks) -> bool:
    """Whether channels differ so much in spread that the small ones drown in the rounding of the large ones."""
    spreads = found.spreads[~constant(found, X)]
    return bool(len(spreads) and spreads.min() * MIXED_RATIO**2 < spreads.max())


def constant(found: Spectrum, X: RowBlocks) -> np.ndarray:
    """Channels whose spread is what rounding leaves of equal numbers."""
    noise = 8 * float(np.finfo(X.dtype).eps) * np.abs(found.mean) * found.scale
    return found.spreads <= found.weight * noise**2


def varying(found: Spectrum, X: RowBlocks) -> np.ndarray:
    """Which directions vary by more than the rounding of products and of rows far from zero explains."""
    noise = rounding(X.dtype, min(X.shape)) * found.singular[0] + offset_noise(found, X)
    return np.logical_and.accumulate(found.singular > noise)


def offset_noise(found: Spectrum, X: RowBlocks) -> np.ndarray:
    """Of every direction, what the rounding of rows as large as the mean adds to its singular value."""
    offsets = np.linalg.norm(found.components * (found.mean * found.scale), axis=1)
    return np.asarray(RELATIVE * float(np.finfo(X.dtype).eps) * np.sqrt(found.weight) * offsets)


def rounding(dtype: Any, size: int) -> float:
    """The share of the largest singular value up to which others may be rounding of numbers of this type."""
    return RELATIVE * float(np.finfo(dtype).eps) * float(np.sqrt(size))


def in_equal_units(X: RowBlocks, limit: int, weights: np.ndarray | None, found: Spectrum, seed: int) -> Scaled:
    """All directions of channels of about unit variance."""
    extents = np.where(constant(found, X), np.abs(found.mean), np.sqrt(found.spreads / found.weight) / found.scale)
    scale = inverse_powers_of_two(extents)
    shift = np.zeros_like(scale) if X.sparse else (found.mean * scale).astype(X.dtype).astype(np.float64)
    units = Units(scale, shift)
    rows = StandardizedBlocks(X, units, make_dense=not X.sparse)
    scaled = spectrum(rows, limit, weights=weights, seed=seed)
    mean = units.leave(scaled.mean)
    scaled = scaled._replace(mean=scaled.mean + shift)  # what rounds is the number itself, not its distance from there
    return Scaled(scaled, mean, scale, int(np.count_nonzero(varying(scaled, rows))))


def without_rounding(X: RowBlocks, limit: int, weights: np.ndarray | None, found: Spectrum, seed: int) -> Spectrum:
    """The spectrum with variance in those directions alone that have some apart from rounding.

    A pass over the rows, made only where some direction is so weak that it may be rounding, or may have drowned in it.
    """
    if not doubtful(found, X) or choose_solver(*X.shape, limit) == "randomized":
        return found
    k = len(found.singular)
    rank = min(in_equal_units(X, limit, weights, found, seed).rank, k)
    if rank > np.count_nonzero(found.singular) and X.dtype == np.float32:
        found = spectrum(DoubleBlocks(X), k, weights=weights, seed=seed)
    rank = min(rank, int(np.count_nonzero(found.singular)))
    singular = np.where(np.arange(k) < rank, found.singular, 0.0)
    return found._replace(singular=singular, components=complete_basis(found.components[:rank], k))


def doubtful(found: Spectrum, X: RowBlocks) -> bool:
    """Whether some direction is near what rounding makes; beside far rows that has been judged by the others."""
    noise = by_shape.rounding(X.dtype, X, float(found.singular[0]))
    seen = found.singular > 0
    if (found.singular[seen] <= noise).any():
        return False
    if X.dtype == np.float32:
        drowned = found.singular[-1] == 0 and mixed_units(found, X)
        return bool(drowned or (found.singular <= offset_noise(found, X))[seen].any())
    return bool((seen & ((found.singular <= WEAK_FACTOR * noise) | ~varying(found, X))).any())
