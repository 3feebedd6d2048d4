"""Whitening: coordinates z = K (x - mean) of unit covariance, in the directions in which the rows vary at all.

    covariance = Uᵀ diag(v) U,   K = diag(v)^(-1/2) U,   and back: x = mean + L z,   L = Uᵀ diag(v)^(1/2).

Every linear unmixing of x into uncorrelated sources of unit variance is a rotation of z (Hyvärinen, Karhunen & Oja,
Independent Component Analysis, Wiley 2001, section 6.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.principal.gaussian_model import most_components
from unmix.algorithms.principal.mixed_units import RELATIVE, in_equal_units, mixed_units, rounding, varying
from unmix.algorithms.principal.scatter import is_sparse_block, subtract
from unmix.algorithms.principal.spectrum import Spectrum, choose_solver, spectrum
from unmix.algorithms.rows.sample import rows_under
from unmix.core.blocks import RowBlocks
from unmix.core.linalg import row_signs
from unmix.core.scaling.standardize import inverse_powers_of_two, refuse_overflow
from unmix.io.dispatch import as_blocks

ENTRIES_AT_ONCE = 2**16  # sources worked on at a time
LARGE_MEAN = 4.0  # standard deviations from zero beyond which a mean is taken off the rows, not off the sources
MOST_SAMPLED = 2**23  # entries of a sample of rows
MOST_ENTRIES = 2**26  # of a reduced copy of the table, which is made only where it saves much


class Whitening(NamedTuple):
    """``matrix`` (k, d) whitens, ``inverse`` (d, k) undoes it, ``weight`` is the number of rows."""

    weight: float
    mean: np.ndarray
    matrix: np.ndarray
    inverse: np.ndarray


def fit_whitening(
    X: RowBlocks,
    k: int | None,
    weights: np.ndarray | None = None,
    seed: int = 0,
    solver: str = "auto",
    at_most: bool = False,
) -> Whitening:
    """The k directions of most variance, all that have some for ``k=None``.

    More than there are is refused, unless ``at_most`` so many are wanted.
    """
    limit = most_components(X, weights)
    wanted = limit if k is None else min(k, limit)
    with np.errstate(over="ignore"):
        frame = by_rows(X, weights) if solver == "svd" else by_spectrum(X, wanted, limit, weights, seed, solver)
    refuse_overflow(frame.matrix)
    rank = len(frame.matrix)
    if rank == 0:
        raise ValueError("the rows of X do not vary (n_samples=1, or all rows are equal): there is nothing to separate")
    if k is not None and k > rank and not at_most:
        raise ValueError(
            f"n_components={k}, but the rows of X vary in {rank} direction(s) only (constant, repeated or dependent "
            f"channels, or too few rows); ask for at most {rank}, or n_components=None for as many as there are"
        )
    return frame if k is None else frame._replace(matrix=frame.matrix[:k], inverse=frame.inverse[:, :k])


def by_spectrum(X: RowBlocks, k: int, limit: int, weights: np.ndarray | None, seed: int, solver: str) -> Whitening:
    """Block by block; of channels of different units all directions, of others the k that are wanted."""
    found = spectrum(X, k, weights=weights, solver=solver, seed=seed)
    if mixed_units(found, X) and choose_solver(*X.shape, limit) != "randomized":
        return whiten_scaled(X, limit, weights, found, seed)
    return from_spectrum(found, X)


def by_rows(X: RowBlocks, weights: np.ndarray | None) -> Whitening:
    """By the singular vectors of the scaled rows, all of which are held in memory."""
    gathered = X.gather()
    rows = np.asarray(gathered.toarray() if is_sparse_block(gathered) else gathered, np.float64)
    scale = inverse_powers_of_two(np.abs(rows).max(axis=0))  # squares are safe
    rows, w = rows * scale, np.ones(len(rows)) if weights is None else weights
    weight, mean = float(w.sum()), w @ rows / w.sum()
    rows = rows - mean
    deviations = np.sqrt(w @ rows**2 / weight)
    extents = np.where(deviations > 8 * np.finfo(X.dtype).eps * np.abs(mean), deviations, 1.0)
    _, singular, components = np.linalg.svd(rows / extents * np.sqrt(w)[:, None], full_matrices=False)
    found = Spectrum(weight, mean / extents, components, singular, 0.0, 1.0, 0.0, deviations)
    frame, units = from_spectrum(found, X), scale / extents
    return by_variance(Whitening(weight, mean / scale, frame.matrix * units, frame.inverse / units[:, None]))


def from_spectrum(found: Spectrum, X: RowBlocks) -> Whitening:
    return leading(found, int(np.count_nonzero(varying(found, X))))


def leading(found: Spectrum, rank: int) -> Whitening:
    deviations = found.singular[:rank] / np.sqrt(found.weight)
    turned = found.components[:rank]
    matrix = turned / deviations[:, None] * found.scale
    return Whitening(found.weight, found.mean, matrix, turned.T * (deviations / found.scale))


def whiten_scaled(X: RowBlocks, limit: int, weights: np.ndarray | None, found: Spectrum, seed: int) -> Whitening:
    """By way of channels of about unit variance, on which alone rank is a matter of the rows and not of their units."""
    scaled = in_equal_units(X, limit, weights, found, seed)
    frame = leading(scaled.found, scaled.rank)
    scale = scaled.scale
    return by_variance(Whitening(found.weight, scaled.mean, frame.matrix * scale, frame.inverse / scale[:, None]))


def by_variance(frame: Whitening) -> Whitening:
    """The same whitening, turned so that the directions of most variance come first."""
    if not len(frame.matrix):
        return frame
    extent = np.abs(frame.inverse).max()
    directions, _, turn = np.linalg.svd(frame.inverse / extent, full_matrices=False)
    turn = turn * row_signs(directions.T)[:, None]
    return frame._replace(matrix=turn @ frame.matrix, inverse=frame.inverse @ turn.T)


def no_whitening(X: RowBlocks, weights: np.ndarray | None) -> Whitening:
    """No whitening: rows that are white already, and not to be centred."""
    d = X.shape[1]
    return Whitening(float(X.shape[0] if weights is None else weights.sum()), np.zeros(d), np.eye(d), np.eye(d))


def nearest_to_channels(frame: Whitening) -> Whitening:
    """ZCA: of all whitenings the symmetric one, C^(-1/2), which changes the channels least."""
    k, d = frame.matrix.shape
    if k < d:
        raise ValueError(
            f"whiten='zca' keeps one coordinate a channel, but the rows of X vary in {k} of {d} directions only (or "
            "n_components asks for fewer); use whiten='unit-variance', or leave out repeated and constant channels"
        )
    # L = C^(1/2) R with a rotation R: the polar decomposition
    turn = nearest_rotation(frame.inverse / np.abs(frame.inverse).max())
    return frame._replace(matrix=turn @ frame.matrix, inverse=frame.inverse @ turn.T)


def frame_of(
    covariance: np.ndarray, mean: np.ndarray, weight: float, k: int | None, dtype: Any = np.float64
) -> Whitening:
    """The whitening of a covariance, of its k directions of most variance; fewer where no more are seen to vary."""
    frame = by_correlation(covariance, mean, weight, dtype)
    if k is None or k >= len(frame.matrix):
        return frame
    frame = by_variance(frame)
    return frame._replace(matrix=frame.matrix[:k], inverse=frame.inverse[:, :k])


def by_correlation(
    covariance: np.ndarray, mean: np.ndarray, weight: float, dtype: Any, least: float = np.finfo(float).eps
) -> Whitening:
    """All directions in which rows of this type, covariance and mean vary, by channels scaled to unit variance.

    ``least`` is the error of the covariance, relatively; the directions largest in these channels come first.
    """
    deviations = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    extents = np.where(deviations > 8 * float(np.finfo(dtype).eps) * np.abs(mean), deviations, np.inf)
    values, vectors = np.linalg.eigh(covariance / extents[:, None] / extents)
    largest = max(float(values[-1]), 0.0)
    offsets = np.linalg.norm(vectors.T * (mean / extents), axis=1)
    noise = rounding(dtype, len(values)) * np.sqrt(largest) + RELATIVE * float(np.finfo(dtype).eps) * offsets
    kept = np.flatnonzero(values > np.maximum(noise**2, len(values) * least * largest))[::-1]
    sizes, turned = np.sqrt(values[kept]), vectors.T[kept]
    finite = np.where(np.isfinite(extents), extents, 0.0)
    return Whitening(weight, mean, turned / sizes[:, None] / extents, (turned * finite).T * sizes)


def unmixed(block: Any, mean: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Sources of a block, matrix (x - mean), as rows (k, m): each source lies in one piece."""
    small, shift = matrix.astype(block.dtype), matrix @ mean
    if is_sparse_block(block):
        return np.ascontiguousarray((block @ small.T - shift.astype(block.dtype)).T)
    if np.abs(shift).max() > LARGE_MEAN * (1.0 if block.dtype == np.float32 else 1e6):
        out: np.ndarray = small @ subtract(block, mean).T
        return out
    out = small @ block.T
    if shift.any():
        out -= shift.astype(block.dtype)[:, None]
    return out


def pieces(block: Any, k: int) -> Iterator[slice]:
    """Runs of rows whose k sources stay in the processor's cache through all that is done with them."""
    rows = max(256, ENTRIES_AT_ONCE // k)
    return (slice(start, start + rows) for start in range(0, block.shape[0], rows))


def project(block: Any, rows: Any, mean: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """The same as rows of a table (m, k)."""
    return np.ascontiguousarray(unmixed(block, mean, matrix).T)


def reduced(X: RowBlocks, frame: Whitening) -> tuple[RowBlocks, Whitening]:
    """The table in whitened coordinates, where these are much fewer than its columns and fit into memory.

    Passes then cost n k² instead of n d k. Elsewhere X itself: a pass whitens block by block and keeps nothing.
    """
    k, d = frame.matrix.shape
    if d < 2 * k or X.shape[0] * k > MOST_ENTRIES:
        return X, frame
    small = X.map(project, frame.mean, frame.matrix)
    return as_blocks(small), Whitening(frame.weight, np.zeros(k), np.eye(k), np.eye(k))


def few_rows(X: RowBlocks, k: int, weights: np.ndarray | None) -> RowBlocks | None:
    """Every so-many-th row, by weight, enough to come near the answer; None where that would save little.

    Iterations on few rows cost little and end about as far from the answer of all rows as that is from the truth of a
    table so many times shorter, which leaves the passes over all rows only the last digits to find.
    """
    n, d = X.shape
    wanted = max(4096, 16 * k * k)
    if n < 4 * wanted or wanted * d > MOST_SAMPLED:
        return None
    chosen = np.arange(0, n, n // wanted)
    if weights is not None:  # a pattern in the weights must not meet one of the places
        chosen = rows_under((np.arange(wanted) + 0.5) / wanted, np.cumsum(weights))
    return as_blocks(X.take(chosen))


def random_rotation(k: int, generator: np.random.Generator) -> np.ndarray:
    """A rotation (or reflection) drawn evenly."""
    q, r = np.linalg.qr(generator.standard_normal((k, k)))
    out: np.ndarray = q * np.sign(np.diag(r))
    return out


def nearest_rotation(matrix: np.ndarray) -> np.ndarray:
    """(M Mᵀ)^(-1/2) M, the orthogonal matrix nearest to M: symmetric orthogonalisation."""
    left, _, right = np.linalg.svd(matrix)
    out: np.ndarray = left @ right
    return out
