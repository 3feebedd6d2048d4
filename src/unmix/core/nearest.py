"""The nearest centre of each row of a block, argmin_c ||x - u_c||², with the two smallest squared distances.

A dense block takes the SIMD kernel of tiles.py, a sparse one a loop over its stored entries, and without a compiler
(NUMBA_DISABLE_JIT) both take a plain matrix product. All see rows as scale x - shift: centred, because the expansion
of the square loses digits far from the origin, and scaled by a power of two, because 1e300 has no square.
"""

import os
from typing import Any, NamedTuple

import numpy as np

JIT_DISABLED = os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"


class Frame(NamedTuple):
    """Coordinates in which distances are computed: x becomes scale x - shift, exactly undone for centres."""

    scale: float
    shift: np.ndarray

    def enter(self, points: np.ndarray) -> np.ndarray:
        return self.scale * np.asarray(points, np.float64) - self.shift

    def leave(self, points: np.ndarray) -> np.ndarray:
        return (points + self.shift) / self.scale

    def cost(self, squares: float) -> float:
        """A sum of squares in the units of the data; infinite where it exceeds the largest float."""
        with np.errstate(over="ignore", under="ignore"):
            return float(np.float64(squares) / self.scale / self.scale)


class Nearest(NamedTuple):
    """For each row the number of its nearest centre and the squared distances, in the frame, to the nearest two."""

    label: np.ndarray
    near: np.ndarray
    far: np.ndarray


def frame_around(center: np.ndarray, largest: float, dtype: Any) -> Frame:
    """The frame with `center` at its origin for data of that largest magnitude, scaled only if squares need it."""
    limits = np.finfo(dtype)
    exponent = int(np.frexp(largest)[1]) if largest > 0 else 0
    room = limits.maxexp // 3  # |x| within 2^±room keeps sums of squares far from overflow and from zero
    power = 0 if abs(exponent) < room else int(np.clip(-exponent, limits.minexp + 2, limits.maxexp - 2))
    scale = float(np.ldexp(1.0, power))
    return Frame(scale, scale * np.asarray(center, np.float64))


def nearest(block: Any, frame: Frame, centers: np.ndarray, offsets: np.ndarray | None = None) -> Nearest:
    """Nearest centres, given in the frame. Sparse rows are never moved, so their frame has shift 0.

    With offsets (k,), a centre's squared distance is ||x - u_c||² + offset_c.
    """
    if JIT_DISABLED:
        return nearest_plain(block, frame, centers, offsets)
    if hasattr(block, "tocsr"):
        return nearest_sparse(block, frame, centers, offsets)
    from unmix.core.tiles import GROUP, assign_rows, pack_centers

    n, d = block.shape
    kind = block.dtype.type
    found = Nearest(np.empty(n, np.int32), np.empty(n, block.dtype), np.empty(n, block.dtype))
    packed, shift = pack_centers(centers, kind)[0], frame.shift.astype(kind)
    if offsets is not None:
        biases = packed.reshape(-1, d + 2, GROUP)[:, 0]
        biases -= 0.5 * np.append(offsets, np.zeros(biases.size - len(offsets))).reshape(biases.shape)
    assign_rows(block.reshape(-1), d, packed, kind(frame.scale), shift, kind(-np.inf), *found)
    return found


def nearest_plain(block: Any, frame: Frame, centers: np.ndarray, offsets: np.ndarray | None = None) -> Nearest:
    """The definition by a matrix product, for dense and sparse rows."""
    sparse = hasattr(block, "tocsr")
    rows = block * frame.scale if sparse else (block * block.dtype.type(frame.scale) - frame.shift.astype(block.dtype))
    centers = centers.astype(block.dtype)
    norms = (rows.multiply(rows) if sparse else rows * rows).sum(axis=1)
    scores = np.asarray(rows @ centers.T) - 0.5 * (centers * centers).sum(axis=1)
    if offsets is not None:
        scores -= (0.5 * offsets).astype(block.dtype)
    label = scores.argmax(axis=1).astype(np.int32)
    every = np.arange(len(label))
    best = scores[every, label]
    scores[every, label] = -np.inf
    return Nearest(label, np.maximum(norms - 2 * best, 0), np.maximum(norms - 2 * scores.max(axis=1), 0))


def nearest_sparse(block: Any, frame: Frame, centers: np.ndarray, offsets: np.ndarray | None = None) -> Nearest:
    """Scores of all centres together, entry by entry, so that the inner loop runs along centres."""
    from unmix.core.sparse_rows import assign_sparse_rows

    n, kind = block.shape[0], block.dtype.type
    found = Nearest(np.empty(n, np.int32), np.empty(n, block.dtype), np.empty(n, block.dtype))
    turned = np.ascontiguousarray(centers.T, block.dtype)
    bias = -0.5 * np.einsum("jc,jc->c", turned, turned, dtype=np.float64)
    if offsets is not None:
        bias -= 0.5 * offsets
    assign_sparse_rows(block.data, block.indices, block.indptr, kind(frame.scale), turned, bias.astype(kind), *found)
    return found
