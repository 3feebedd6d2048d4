"""The nearest centre of each row of a block, argmin_c ||x - u_c||², with the two smallest squared distances.

A dense block takes the SIMD kernel of tiles.py, a sparse one a loop over its stored entries, and without a compiler
(NUMBA_DISABLE_JIT) both take a plain matrix product. All see rows as scale x - shift: centred, because the expansion
of the square loses digits far from the origin, and scaled by a power of two, because 1e300 has no square. Few rows are
compared by differences, whatever their form (small.py).

Where the two nearest are closer to each other than the rounding of the expansion, differences x - u in float64 decide.
A good origin makes such rows few; whichever it is, labels are those of the definition.
"""

from typing import Any, NamedTuple

import numpy as np

from unmix.costs.nearest.small import JIT_DISABLED as JIT_DISABLED
from unmix.costs.nearest.small import as_dense, is_small, nearest_two

EPSILON = {4: 2.0**-23, 8: 2.0**-52}  # of a float of so many bytes
NO_OFFSETS = np.empty(0)
PIECE = 2**20  # numbers in an array of dense rows


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
        return float(squares) / self.scale / self.scale


class Nearest(NamedTuple):
    """For each row the number of its nearest centre and the squared distances, in the frame, to the nearest two."""

    label: np.ndarray
    near: np.ndarray
    far: np.ndarray


def frame_around(center: np.ndarray, largest: float, dtype: Any) -> Frame:
    """The frame with `center` at its origin for data of that largest magnitude, scaled only if squares need it.

    The origin is rounded to the precision of the data: rows and centres have to be moved by the same.
    """
    limits = np.finfo(dtype)
    exponent = int(np.frexp(largest)[1]) if largest > 0 else 0
    room = limits.maxexp // 3  # |x| within 2^±room keeps sums of squares far from overflow and from zero
    power = 0 if abs(exponent) < room else int(np.clip(-exponent, limits.minexp + 2, limits.maxexp - 2))
    scale = float(np.ldexp(1.0, power))
    most = float(limits.max)
    shift = np.clip(scale * np.asarray(center, np.float64), -most, most)
    return Frame(scale, shift.astype(dtype).astype(np.float64))


def expansion_error(dtype: Any, terms: Any) -> Any:
    """What rounding adds to ||x||² - 2 x·u + ||u||² at most, over ||x||² + ||u||², for sums of so many terms.

    The roundings of a sum partly cancel, so they grow with the root of their number. As ||u||² <= 2 ||x||² + 2 D for a
    centre at the squared distance D, the error is at most this times 3 ||x||² + 2 D: no other centre has a part in it.
    """
    return EPSILON[dtype.itemsize] * (8 + 2 * np.sqrt(terms))


class Definition(NamedTuple):
    """What decides where the expansion does not: ||scale x - shift - u||² + offset, from differences in float64.

    A later centre has to be nearer by `lean` times the length of the row.
    """

    scale: float
    shift: np.ndarray
    centers: np.ndarray
    offsets: np.ndarray
    lean: float


def nearest(
    block: Any,
    frame: Frame,
    centers: np.ndarray,
    offsets: np.ndarray | None = None,
    *,
    unmoved: np.ndarray | None = None,
    lean: float = 0.0,
) -> Nearest:
    """Nearest centres, given in the frame. Sparse rows are never moved, so their frame has shift 0.

    With offsets (k,), none of them negative, a centre's squared distance is ||x - u_c||² + offset_c. `unmoved` are the
    same centres scaled but not shifted, for centres that lose digits by the shift. With `lean` > 0 the first of centres
    that differ by rounding is taken.
    """
    if centers.shape[1] != block.shape[1] or frame.shift.size != block.shape[1]:
        raise ValueError(f"rows of {block.shape[1]} columns were compared with centres of shape {centers.shape}")
    shift, exact = (frame.shift, centers) if unmoved is None else (np.zeros(block.shape[1]), unmoved)
    exact = np.ascontiguousarray(exact, np.float64)
    definition = Definition(frame.scale, shift, exact, NO_OFFSETS if offsets is None else offsets, lean)
    if JIT_DISABLED:
        return nearest_plain(block, frame, centers, definition)
    if is_small(block.shape[0], block.shape[1], len(centers)):
        return nearest_small(block, definition)
    if hasattr(block, "tocsr"):
        return nearest_sparse(block, frame, centers, definition)
    from unmix.costs.nearest.tiles import assign_rows

    n, d = block.shape
    found = Nearest(np.empty(n, np.int32), np.empty(n, block.dtype), np.empty(n, block.dtype))
    numbers = np.array([frame.scale, -np.inf, expansion_error(block.dtype, d)], block.dtype)
    packed = pack(centers, definition.offsets, block.dtype.type)
    assign_rows(block.reshape(-1), packed, numbers, frame.shift.astype(block.dtype), *definition[1:], *found)
    return found


def pack(centers: np.ndarray, offsets: np.ndarray, kind: Any) -> np.ndarray:
    """Centres as the scan reads them, their biases lowered by the offsets."""
    from unmix.costs.nearest.tiles import GROUP, pack_centers

    packed = pack_centers(centers, kind)
    if offsets.size:
        biases = packed.reshape(-1, centers.shape[1] + 2, GROUP)[:, 0]
        biases -= 0.5 * np.append(offsets, np.zeros(biases.size - len(offsets))).reshape(biases.shape)
    return packed


def nearest_plain(block: Any, frame: Frame, centers: np.ndarray, definition: Definition | None = None) -> Nearest:
    """By a matrix product, for dense and sparse rows."""
    definition = definition or Definition(frame.scale, frame.shift, centers, NO_OFFSETS, 0.0)
    sparse, dtype = hasattr(block, "tocsr"), block.dtype
    rows = block * frame.scale if sparse else (block * dtype.type(frame.scale) - frame.shift.astype(dtype))
    with np.errstate(over="ignore", invalid="ignore"):  # such scores leave it to the definition
        centers = centers.astype(dtype)
        norms = (rows.multiply(rows) if sparse else rows * rows).sum(axis=1)
        scores = np.asarray(rows @ centers.T) - 0.5 * (centers * centers).sum(axis=1)
        if definition.offsets.size:
            scores -= (0.5 * definition.offsets).astype(dtype)
        scores[np.isnan(scores)] = -np.inf
        found = largest_two(scores, norms)
        unclear = ~is_clear(found, norms, float(expansion_error(dtype, block.shape[1])))
    return decide_unclear_rows(block, definition, found, np.flatnonzero(unclear))


@np.errstate(over="ignore", under="ignore", invalid="ignore")  # such rows are left to the definition
def nearest_small(block: Any, definition: Definition) -> Nearest:
    """By differences at once; only where rounding of the sums could matter, one after the other."""
    scale, shift, centers, offsets, lean = definition
    rows = as_dense(block)
    inside, tiny = scale * rows, EPSILON[8] * (32 + 4 * rows.shape[1])
    least = 2 * lean * np.sqrt(np.square(inside).sum(axis=1)) if lean > 0 else 0.0
    inside -= shift
    if offsets.size:  # ||x - u||² + offset has one column more, in which rows are zero
        inside, centers = np.pad(inside, ((0, 0), (0, 1))), np.column_stack([centers, np.sqrt(offsets)])
    found = Nearest(*nearest_two(inside, centers))
    near, far = np.sqrt(found.near * (1 + tiny)), np.sqrt(found.far * (1 - tiny))
    unclear = np.flatnonzero(~((far - near > least) & (far > 1e-140) & (near < np.inf)))
    if unclear.size:
        for old, new in zip(found, by_definition(rows[unclear], definition), strict=True):
            old[unclear] = new
    return Nearest(found.label, found.near.astype(block.dtype), found.far.astype(block.dtype))


def largest_two(scores: np.ndarray, norms: np.ndarray) -> Nearest:
    label = scores.argmax(axis=1).astype(np.int32)
    every = np.arange(len(label))
    best = scores[every, label]
    scores[every, label] = -np.inf
    return Nearest(label, np.maximum(norms - 2 * best, 0), np.maximum(norms - 2 * scores.max(axis=1), 0))


@np.errstate(over="ignore", invalid="ignore")
def is_clear(found: Nearest, norms: np.ndarray, error: Any) -> np.ndarray:
    """Whether rounding cannot have changed which centre is nearest, as in tiles.py."""
    clear = found.far * (1 - 2 * error) - found.near * (1 + 2 * error) > 6 * error * norms
    return np.asarray(clear)


def nearest_sparse(block: Any, frame: Frame, centers: np.ndarray, definition: Definition) -> Nearest:
    """Scores of all centres together, entry by entry, so that the inner loop runs along centres."""
    from unmix.costs.nearest.sparse_rows import assign_sparse_rows

    n, kind, offsets = block.shape[0], block.dtype.type, definition.offsets
    found = Nearest(np.empty(n, np.int32), np.empty(n, block.dtype), np.empty(n, block.dtype))
    norms = np.empty(n, block.dtype)
    with np.errstate(over="ignore", invalid="ignore"):  # such scores leave it to the definition
        turned = np.ascontiguousarray(centers.T, block.dtype)
        bias = -0.5 * np.einsum("jc,jc->c", turned, turned, dtype=np.float64) - (0.5 * offsets if offsets.size else 0.0)
        bias = bias.astype(kind)
    assign_sparse_rows(block.data, block.indices, block.indptr, kind(frame.scale), turned, bias, norms, *found)
    clear = is_clear(found, norms, expansion_error(block.dtype, np.diff(block.indptr)))
    return decide_unclear_rows(block, definition, found, np.flatnonzero(~clear))


@np.errstate(over="ignore", invalid="ignore")  # distances may be beyond the largest number of the data's precision
def decide_unclear_rows(block: Any, definition: Definition, found: Nearest, unclear: np.ndarray) -> Nearest:
    """The nearest centres with those of the unclear rows by the definition, a piece of these at a time."""
    if unclear.size and hasattr(block, "tocsr") and block.dtype.itemsize < 8:
        frame = Frame(definition.scale, definition.shift)  # in float64 the expansion may do
        finer = nearest_sparse if not JIT_DISABLED else nearest_plain
        again = finer(block[unclear].astype(np.float64), frame, definition.centers, definition)
        for old, new in zip(found, again, strict=True):
            old[unclear] = new
        return found
    size = max(1, PIECE // block.shape[1])
    for start in range(0, len(unclear), size):
        part = unclear[start : start + size]
        rows = block[part].toarray() if hasattr(block, "tocsr") else block[part]
        for old, new in zip(found, by_definition(rows, definition), strict=True):
            old[part] = new
    return found


@np.errstate(over="ignore", under="ignore", invalid="ignore")
def by_definition(rows: np.ndarray, definition: Definition) -> Nearest:
    """As `nearest_by_differences` of tiles.py, for dense rows."""
    found = compare(rows, definition, 1.0)
    odd = np.flatnonzero(~((found.near > 1e-280) & (found.near < np.inf)))
    for part, unit in ((odd[found.near[odd] > 1], 2.0**-530), (odd[~(found.near[odd] > 1)], 2.0**400)):
        if part.size:
            again = compare(rows[part], definition, unit)
            found.label[part] = again.label
            found.near[part], found.far[part] = again.near / unit / unit, again.far / unit / unit
    return found


def compare(rows: np.ndarray, definition: Definition, unit: float) -> Nearest:
    scale, shift, centers, offsets, lean = definition
    inside, length = scale * rows.astype(np.float64), 0.0
    if lean > 0:
        length = lean * np.sqrt(np.square(unit * inside).sum(axis=1))
    inside = unit * (inside - shift)
    best, second = np.full((2, len(rows)), np.inf)
    label = np.zeros(len(rows), np.int32)
    columns = np.ascontiguousarray(inside.T)
    for c, center in enumerate(centers):
        total = np.full(len(rows), unit * unit * offsets[c] if offsets.size else 0.0)
        for column, u in zip(columns, unit * center, strict=True):  # in the order of the kernel, to the same bits
            total += np.square(column - u)
        nearer = (total < best) & ((length == 0.0) | (np.sqrt(total) < np.sqrt(best) - length))
        second = np.where(nearer, best, np.fmin(second, total))
        best, label = np.where(nearer, total, best), np.where(nearer, c, label)
    return Nearest(label.astype(np.int32), best, second)
