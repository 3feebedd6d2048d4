"""Queries far from the bulk of the rows are answered from a frame near them, so that differences keep their digits.

In a frame about c the distance r of a query q to a row, in kernel widths, is wrong by about eps (r + |q - c|), and the
row's term by a share of eps r (r + |q - c|). Where |q - c| ≤ reach,

    reach = sqrt(rtol / (16 eps)),

that is within rtol, or within the rounding of the logarithm r² / 2. Queries farther out are put into the cells of a
lattice; those of one cell are answered about one of them, from the rows near it, and from all rows only where the
others might matter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from unmix.algorithms.kernel_sums.frame import KernelFrame

EPS = float(np.finfo(np.float64).eps)
LEAST_RTOL = 1e-7  # sums of all pairs would ask for cells without extent; with this, terms within 10 are right to 1e-11

# rows, weights and queries, in kernel widths -> logarithms of sums (m,), and what else is wanted (m, ...)
Found = tuple[np.ndarray, np.ndarray]
Answer = Callable[[np.ndarray, np.ndarray, np.ndarray], Found]


def answer_by_place(
    frame: KernelFrame, rows: np.ndarray, weights: np.ndarray, queries: np.ndarray, rtol: float, answer: Answer
) -> Found:
    """What ``answer`` says of queries (m, d), each in a frame near it; rows and queries in the units of the data."""
    reach = math.sqrt(max(rtol, LEAST_RTOL) / (16 * EPS)) / stretch(frame.inverse)
    along = frame.along_axes(queries)
    if max(along.max(initial=0.0), -along.min(initial=0.0)) <= reach:
        return answer(frame.enter(rows), weights, frame.turn(along))
    cells = np.rint(along / (2 * reach))
    far = cells.any(axis=1)
    at_bulk = np.flatnonzero(~far)
    found = [(at_bulk, answer(frame.enter(rows), weights, frame.enter(queries[at_bulk])))] if len(at_bulk) else []
    for asked, place in far_places(frame, queries, cells, np.flatnonzero(far)):
        found.append((asked, answer_far(place, rows, weights, queries[asked], reach, rtol, answer)))
    order = np.argsort(np.concatenate([asked for asked, _ in found]))
    logs, more = (np.concatenate([part[which] for _, part in found])[order] for which in (0, 1))
    return logs, more


def stretch(matrix: np.ndarray | None) -> float:
    """How much longer it makes a vector, at least 1."""
    return 1.0 if matrix is None else max(1.0, float(np.linalg.norm(matrix, 2)))


def far_places(
    frame: KernelFrame, queries: np.ndarray, cells: np.ndarray, far: np.ndarray
) -> Iterator[tuple[np.ndarray, KernelFrame]]:
    """The numbers of the queries of each cell, and a frame about the first of them."""
    _, cell = np.unique(cells[far], axis=0, return_inverse=True)
    order = np.argsort(cell.ravel(), kind="stable")
    for part in np.split(far[order], np.cumsum(np.bincount(cell.ravel()))[:-1]):
        yield part, frame._replace(center=queries[part[0]].astype(np.float64))


def answer_far(
    frame: KernelFrame,
    rows: np.ndarray,
    weights: np.ndarray,
    queries: np.ndarray,
    reach: float,
    rtol: float,
    answer: Answer,
) -> Found:
    """The queries of one cell, at most 2 reach apart along every axis; the frame stands on one of them."""
    asked = frame.enter(queries)
    near = (np.abs(frame.along_axes(rows)) <= 4 * reach).all(axis=1)
    if near.all() or not near.any():
        return answer(frame.enter(rows), weights, asked)
    logs, more = answer(frame.enter(rows[near]), weights[near], asked)
    # rows left away are 2 reach and more from every query along an axis, and weigh 1 together at most
    widest = stretch(None if frame.inverse is None else np.linalg.inv(frame.inverse))
    unsure = logs + math.log(max(rtol, EPS) / 2) < -0.5 * (1.5 * reach / widest) ** 2
    if unsure.any():
        logs[unsure], more[unsure] = answer(frame.enter(rows), weights, asked[unsure])
    return logs, more
