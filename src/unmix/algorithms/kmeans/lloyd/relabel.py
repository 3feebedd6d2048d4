"""One pass of K-means over a block: rows whose nearest centre may have changed find it, and only they are read.

Each row carries its label and a *deadline*. A label holds as long as its cluster's clock, which lloyd.py advances by
how far centres have moved, is before the deadline: at a scan the deadline is set to clock + (distance to the second
nearest centre - distance to the nearest), the lead a rival has to catch up (Hamerly, SDM 2010, with both of his
bounds in one number that needs no rewriting between scans). Rows past their deadline are gathered, sixteen to a tile.
"""

from typing import Any, NamedTuple

import numpy as np

from unmix.costs.nearest.centers import JIT_DISABLED, Frame, expansion_error, nearest

UNSEEN = (-1.0, -np.inf)  # label and deadline of a row before the first pass; labels are exact in float32
NO_WEIGHTS = np.empty(0)
FOREVER = 1e37  # with one centre there is no second nearest to wait for


class Moves(NamedTuple):
    """What a pass changes, a line a cluster; the table adds, the reach is a maximum.

    The first d columns are sums of rows in the frame; behind them stand their weight, their number, the squared norms
    of rows seen for the first time, and the number of rows that were not scanned.
    """

    table: np.ndarray  # (k, d + 4)
    reach: np.ndarray  # (k,) largest distance of a scanned row to its centre
    moved: int

    def merge(self, other: "Moves") -> "Moves":
        np.add(self.table, other.table, out=self.table)
        np.maximum(self.reach, other.reach, out=self.reach)
        return Moves(self.table, self.reach, self.moved + other.moved)


class Scan(NamedTuple):
    """What a pass compares rows with; made once a pass, because a leaf is small and a pass has many."""

    frame: Frame
    centers: np.ndarray
    clock: np.ndarray
    packed: np.ndarray  # the centres as tiles.py reads them
    shift: np.ndarray  # of the frame, in the dtype of the data
    numbers: np.ndarray  # in the dtype of the data: scale, minus infinity, and the error of an expanded square


def prepare(frame: Frame, centers: np.ndarray, clock: np.ndarray, dtype: Any) -> Scan:
    packed = NO_WEIGHTS
    if not JIT_DISABLED:
        from unmix.costs.nearest.tiles import pack_centers

        packed = pack_centers(centers, dtype)
    numbers = np.array([frame.scale, -np.inf, expansion_error(dtype, centers.shape[1])], dtype)
    return Scan(frame, centers, clock, packed, frame.shift.astype(dtype), numbers)


def relabel(block: Any, rows: Any, scan: Scan) -> tuple[np.ndarray, Moves]:
    """New row states and what they change. `rows` is the states, or a pair of the states and the weights."""
    states, weights = rows if isinstance(rows, tuple) else (rows, NO_WEIGHTS)
    k, d = scan.centers.shape
    table, reach, new = np.zeros((k, d + 4)), np.zeros(k), np.empty_like(states)
    if JIT_DISABLED or hasattr(block, "tocsr"):
        moved = relabel_plain(block, states, weights, scan, new, table, reach)
    else:
        from unmix.algorithms.kmeans.lloyd.relabel_kernel import relabel_rows

        exact = (scan.frame.shift, scan.centers)
        moved = relabel_rows(
            block.reshape(-1), states, weights, scan.packed, scan.shift, scan.numbers, scan.clock, *exact,
            new, table, reach,
        )  # fmt: skip
    return new, Moves(table, reach, moved)


def relabel_plain(
    block: Any,
    states: np.ndarray,
    weights: np.ndarray,
    scan: Scan,
    new: np.ndarray,
    table: np.ndarray,
    reach: np.ndarray,
) -> int:
    """The same pass in array operations, for sparse rows and where nothing is compiled."""
    (k, d), clock = scan.centers.shape, scan.clock
    new[:] = states
    old = states[:, 0].astype(np.intp)
    holds = (old >= 0) & (states[:, 1] > clock[old])
    table[:, d + 3] = np.bincount(old[holds], minlength=k)
    scanned = np.flatnonzero(~holds & (weights > 0) if weights.size else ~holds)
    if not scanned.size:
        return 0
    found = nearest(block[scanned], scan.frame, scan.centers)
    near, far = found.near.astype(np.float64), found.far.astype(np.float64)
    norms = 2 * near + 2 * (scan.centers * scan.centers).sum(axis=1)[found.label]  # ||x||² is at most that
    error = expansion_error(block.dtype, d)
    with np.errstate(invalid="ignore"):
        up, low = np.sqrt(near + error * (3 * norms + 2 * near)), np.sqrt(np.maximum(far - error * (3 * norms), 0))
        low *= 1 - 2 * error
        until = np.nan_to_num(np.minimum(clock[found.label] + low - up, FOREVER), nan=-FOREVER, neginf=-FOREVER)
    new[scanned, 0] = found.label
    new[scanned, 1] = until - 3e-7 * np.abs(until)
    np.maximum.at(reach, found.label, up)
    moving = scanned[found.label != old[scanned]]
    weight = weights[moving] if weights.size else np.ones(len(moving))
    move_rows(block[moving], old[moving], new[moving, 0].astype(np.intp), weight, scan.frame, table)
    return len(moving)


def move_rows(rows: Any, old: np.ndarray, new: np.ndarray, weight: np.ndarray, frame: Frame, table: np.ndarray) -> None:
    """Add rows to their new clusters and take them from their old ones (-1: none)."""
    from scipy.sparse import csr_array

    d, m = rows.shape[1], len(new)
    leaving = np.flatnonzero(old >= 0)
    entry, cluster = np.concatenate([np.arange(m), leaving]), np.concatenate([new, old[leaving]])
    sign = np.concatenate([np.ones(m), -np.ones(len(leaving))])
    select = csr_array((sign * weight[entry], (cluster, entry)), shape=(len(table), m))
    rows = rows.astype(np.float64) * frame.scale
    rows = rows if hasattr(rows, "tocsr") else rows - frame.shift
    sums = select @ rows
    squares = rows.multiply(rows).sum(axis=1) if hasattr(rows, "tocsr") else (rows * rows).sum(axis=1)
    table[:, :d] += sums.toarray() if hasattr(sums, "toarray") else sums
    np.add.at(table[:, d], cluster, sign * weight[entry])
    np.add.at(table[:, d + 1], cluster, sign)
    np.add.at(table[:, d + 2], new[old < 0], (weight * squares)[old < 0])
