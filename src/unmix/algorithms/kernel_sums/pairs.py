"""Gaussian kernel sums in any number of dimensions, to a stated relative accuracy, by leaves of rows that lie together.

    S_q = Σ_j w_j exp(-½ |z_q - z_j|²) = Σ_j w_j 2^(-|y_q - y_j|²),   y = z sqrt(½ log2 e)

A query leaf visits data leaves in shells of growing distance, until all that was not visited, each leaf with its weight
at the least distance of the two boxes, cannot change the smallest sum of the leaf by more than half the accuracy. With
an accuracy of 0 all pairs are summed. Sums are kept relative to a near term, S = total 2^(-reference), so that no
distance is too far for a logarithm.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.kernel_sums.leaves import Leaves, levels_for, make_leaves
from unmix.core.execution import current_execution
from unmix.core.threads import run_in_order
from unmix.costs.nearest.centers import JIT_DISABLED

UNIT = math.sqrt(0.5 / math.log(2))
LANES = 8  # queries in a leaf come in so many, to fill registers
PIECE = 8  # query leaves in a piece of work
SHELL = 1.0  # thickness
NOTHING = 1e304  # squared distance of a query to the nearest row before it has met one
SOME = 1024  # rows of the nearest leaf from which a reference is taken
HIGHEST = 900.0  # terms above 2^900 times that of the reference are not let come up


class Sums(NamedTuple):
    """For every query."""

    log_total: np.ndarray  # (m,)
    left_out: np.ndarray  # (m,) weight of the rows at the very place of the query, if they were to be left out
    moments: np.ndarray  # (m, d) Σ_j w_j k_j (z_j - z) / Σ_j w_j k_j if asked for, else (m, 0)


def pair_sums(
    rows: np.ndarray,
    weights: np.ndarray,
    queries: np.ndarray,
    rtol: float,
    *,
    leave_out: bool = False,
    moments: bool = False,
) -> Sums:
    """Sums over rows (n, d) for queries (m, d), in kernel widths; the weights are positive and add up to 1.

    With ``leave_out`` rows at the very place of a query do not count.
    """
    (n, d), m = rows.shape, len(queries)
    if m == 0:
        return Sums(np.empty(0), np.empty(0), np.empty((0, d if moments else 0)))
    data = make_leaves(in_units(rows), levels_for(n, m))
    asked = make_leaves(in_units(queries), levels_for(m, n), LANES)
    sums = leaf_sums(data, data.spread(weights), asked, rtol, leave_out=leave_out, columns=d if moments else 0)
    return Sums(*(asked.collect(values, m) for values in sums))


def in_units(points: np.ndarray) -> np.ndarray:
    """In the units of the kernel 2^(-|·|²), with columns of zeros up to two or to a multiple of four."""
    n, d = points.shape
    columns = 2 if d <= 2 else -(-d // 4) * 4
    out = np.zeros((n, columns))
    np.multiply(points, UNIT, out=out[:, :d])
    return out


def leaf_sums(
    data: Leaves, weights: np.ndarray, asked: Leaves, rtol: float, *, leave_out: bool = False, columns: int = 0
) -> Sums:
    """Sums (leaves, size) for leaves in the units of `in_units`; moments of so many columns.

    With ``leave_out`` rows at the very place of a query do not count.
    """
    queries = np.ascontiguousarray(np.moveaxis(asked.points, 1, 2))
    n_leaves, _, size = queries.shape
    reference, total, left_out = (np.full((n_leaves, size), value) for value in (NOTHING, 0.0, 0.0))
    out = LeafSums(reference, total, left_out, np.zeros((n_leaves, columns, size)))
    whole = weights.sum(axis=1)

    def work(piece: int) -> None:
        for leaf in range(piece * PIECE, min((piece + 1) * PIECE, n_leaves)):
            gaps = box_gaps(asked.low[leaf], asked.high[leaf], data)
            one = LeafSums(*(values[leaf] for values in out))
            visit_shells(queries[leaf], data, weights, whole, gaps, rtol / 2, leave_out, one)

    def keep(piece: int, result: Any) -> None:
        """The piece has written its results in place."""

    run_in_order(work, -(-n_leaves // PIECE), keep, current_execution().n_threads)
    with np.errstate(divide="ignore", invalid="ignore"):  # where all rows were left out there is nothing
        log_total = np.log(out.total) - out.reference * math.log(2)
        shifts = np.moveaxis(out.moments, 1, 2) / (out.total[:, :, None] * UNIT)
    return Sums(log_total, out.left_out, shifts)


class LeafSums(NamedTuple):
    """What the kernels write to."""

    reference: np.ndarray
    total: np.ndarray
    left_out: np.ndarray
    moments: np.ndarray


class Gaps(NamedTuple):
    near: np.ndarray  # (leaves,) least squared distance between two boxes
    reach: np.ndarray  # (leaves,) largest distance


def box_gaps(low: np.ndarray, high: np.ndarray, data: Leaves) -> Gaps:
    """Of one box to those of all data leaves."""
    gap = np.maximum(np.maximum(data.low - high, low - data.high), 0.0)
    span = np.maximum(data.high - low, high - data.low)
    return Gaps(np.einsum("lk,lk->l", gap, gap), np.sqrt(np.einsum("lk,lk->l", span, span)))


def visit_shells(
    queries: np.ndarray,
    data: Leaves,
    weights: np.ndarray,
    whole: np.ndarray,
    gaps: Gaps,
    tolerance: float,
    leave_out: bool,
    out: LeafSums,
) -> None:
    """All leaves that matter to one query leaf; with moments a dropped term counts with its distance, too."""
    add_leaves, lower_reference = kernels()
    near = gaps.near
    nearest = float(near.min())
    lower_reference(queries, data.points[near.argmin(), :SOME][None], np.zeros(1, np.intp), leave_out, out.reference)
    if out.reference.max() - nearest > HIGHEST:
        lower_reference(queries, data.points, np.flatnonzero(near < out.reference.max()), leave_out, out.reference)
    order = np.argsort(near, kind="stable")
    near = near[order]
    size = (whole * (1.0 + gaps.reach) if len(out.moments) else whole)[order]
    begin, end = 0, len(near) if tolerance == 0 else end_of_shell(near, 0)
    with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
        while True:
            add_leaves(queries, data.points, weights, np.sort(order[begin:end]), leave_out, *out)
            if end == len(near) or unseen_share(near[end:], size[end:], out) <= tolerance:
                break
            begin, end = end, end_of_shell(near, end)


def end_of_shell(near: np.ndarray, begin: int) -> int:
    """How many of the sorted squared distances lie before the end of the shell that begins with one of them."""
    return int(near.searchsorted(shell_end(float(near[begin])), side="right"))


def shell_end(near: float) -> float:
    """Where the shell of a squared distance ends; where that is lost in rounding, it holds that distance."""
    return max((math.sqrt(near) + SHELL) ** 2, near)


def kernels() -> tuple[Callable[..., None], Callable[..., None]]:
    """`add_leaves` and `lower_reference`, compiled if they may be."""
    if JIT_DISABLED:
        from unmix.algorithms.kernel_sums import pair_plain

        return pair_plain.add_leaves, pair_plain.lower_reference
    from unmix.algorithms.kernel_sums import pair_kernel

    return pair_kernel.add_leaves, pair_kernel.lower_reference


def unseen_share(near: np.ndarray, size: np.ndarray, out: LeafSums) -> float:
    """Bound on the sum over leaves not yet visited, as a share of the smallest sum of the query leaf; NaN of none."""
    smallest = float((np.log2(out.total) - out.reference).min())
    return float(size @ np.exp2(-near - smallest))
