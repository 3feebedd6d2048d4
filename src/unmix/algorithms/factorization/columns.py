"""From a loss for every column to the design of a fit: its parameters, shifts, units and weights, from some rows.

scale    what each column's loss at its best constant is made to be: "column" ½, whatever unit or number of levels;
         "inertia" ½ for every number a cell is worth (levels less one), as multiple correspondence analysis counts;
         None leaves the losses as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.factorization.design import Design, Group
from unmix.core.blocks import RowBlocks
from unmix.core.random import spawn
from unmix.losses.base import Loss

SAMPLE = 2**15  # rows from which parameters of losses are found
LEAST = 0.05  # of a loss that is multiplied: a flag set in one row of a thousand must not weigh as much as a column
NORMAL = 1.2533141373155001  # standard deviation over mean absolute deviation of a normal law
SCALES = ("auto", "column", "inertia", None)


class Sample(NamedTuple):
    """Rows to learn from, NaN where nothing was observed, and their weights."""

    cells: np.ndarray
    weights: np.ndarray


def sample_rows(
    X: RowBlocks, weights: np.ndarray | None, zeros: bool, seed: int, entries: np.ndarray | None = None
) -> Sample:
    """All rows, or some drawn at random; cells of weight 0 are not observed."""
    n = X.shape[0]
    chosen = np.arange(n) if n <= SAMPLE else np.sort(spawn(seed, 1).choice(n, SAMPLE, replace=False))
    cells = (X if n <= SAMPLE else X.select(chosen)).map(dense, zeros)
    if entries is not None:
        cells = np.where(entries[chosen] == 0, np.nan, cells)
    return Sample(cells, np.ones(len(chosen)) if weights is None else weights[chosen])


def dense(block: Any, rows: Any, zeros: bool) -> np.ndarray:
    if not hasattr(block, "tocsr"):
        return np.asarray(block, dtype=np.float64)
    out = np.full(block.shape, 0.0 if zeros else np.nan)
    entries = block.tocoo()
    out[entries.row, entries.col] = entries.data
    return out


def build_design(losses: Sequence[Loss], sample: Sample, scale: str | None, intercept: bool, sparse: bool) -> Design:
    groups, start = [], 0
    for loss, columns in gathered(losses, sample):
        group = fitted_group(loss, columns, start, sample, scale, intercept, sparse)
        groups.append(group)
        start = group.place.stop
    return Design(tuple(groups), start)


def gathered(losses: Sequence[Loss], sample: Sample) -> list[tuple[Loss, np.ndarray]]:
    """Fitted losses and their columns: those that can go together do, in the order in which they first occur."""
    together: dict[Any, list[int]] = {}
    known: dict[Any, Loss] = {}
    for j, loss in enumerate(losses):
        if not loss.elementwise:
            loss = loss.fitted(sample.cells[:, [j]], sample.weights)
        key = loss if loss.elementwise or loss.stacks else (j, loss)
        known[key] = loss
        together.setdefault(key, []).append(j)
    return [(known[key], np.array(columns)) for key, columns in together.items()]


def fitted_group(
    loss: Loss, columns: np.ndarray, start: int, sample: Sample, scale: str | None, intercept: bool, sparse: bool
) -> Group:
    x, g = sample.cells[:, columns], len(columns)
    known = loss.fitted(x, sample.weights)
    center = known.constant(x, sample.weights) if loss.in_units and intercept else np.zeros(g)
    unit = spread_of(known, x - center, sample.weights) if loss.in_units and scale else np.ones(g)
    shift = np.zeros(g) if sparse and loss.quadratic else center  # zeros stay zeros
    group = Group(known, columns, start, shift, unit, np.ones(g))
    if not scale or (loss.in_units and loss.quadratic):
        return group
    wanted = 0.5 * (known.degrees() if scale == "inertia" else 1)
    cost = baseline(group, sample)
    least = 0.0 if loss.in_units else LEAST * wanted
    cost = np.where(cost > least, cost, least or wanted)
    return group._replace(factor=wanted / cost)


def spread_of(loss: Loss, deviations: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Root mean square; for losses that do not square, the mean size times what makes both equal in a normal law."""
    seen = ~np.isnan(deviations)
    size = np.abs(np.where(seen, deviations, 0.0))
    top = size.max(axis=0, initial=0.0)
    top = np.where(top > 0, top, 1.0)
    count = np.maximum(weights @ seen, np.finfo(float).tiny)
    shares = size / top  # whose squares neither overflow nor vanish
    spread = np.sqrt(weights @ shares**2 / count) if loss.quadratic else NORMAL * (weights @ shares) / count
    return np.where(spread > 0, spread * top, 1.0)


def baseline(group: Group, sample: Sample) -> np.ndarray:
    """What a cell of each column costs on average at the best constant."""
    seen = ~np.isnan(sample.cells[:, group.columns])
    x = np.where(seen, group.seen(sample.cells), np.nan)
    constant = group.loss.constant(x, sample.weights)
    m = np.broadcast_to(constant, (len(x), len(constant)))
    cost = group.loss.value(np.where(seen, x, 0.0), m)
    count = sample.weights @ seen
    total: np.ndarray = sample.weights @ np.where(seen, cost, 0.0)
    return np.divide(total, count, out=np.zeros_like(total), where=count > 0)


def check_rows(block: Any, rows: Any, design: Design, zeros: bool) -> np.ndarray:
    """Refuse values of new rows that the losses found for the columns cannot measure."""
    cells = dense(block, None, zeros)
    for group in design.groups:
        reason = group.loss.problem(cells[:, group.columns])
        if reason:
            names = ", ".join(map(str, group.columns[:5].tolist())) + (", …" if len(group.columns) > 5 else "")
            raise ValueError(f"X cannot be measured by the {group.loss.name} loss of column {names}: it {reason}")
    return np.empty((len(cells), 0))


def constants(design: Design, sample: Sample) -> np.ndarray:
    """The model without components: the best constant of every column of it."""
    out = np.zeros(design.width)
    for group in design.groups:
        seen = ~np.isnan(sample.cells[:, group.columns])
        x = np.where(seen, group.seen(sample.cells), np.nan)
        out[group.place] = group.loss.constant(x, sample.weights)
    return out
