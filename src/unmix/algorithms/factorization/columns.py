"""From a loss for every column to the design of a fit: its parameters, shifts, units and weights, from some rows.

scale    what each column's loss at its best constant is made to be: "column" ½, whatever unit or number of levels;
         "inertia" ½ for every number a cell is worth (levels less one), as multiple correspondence analysis counts;
         None leaves the losses as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.factorization.design import Design, Group
from unmix.core.blocks import RowBlocks
from unmix.core.random import spawn
from unmix.losses.base import Loss
from unmix.losses.parts.location import weighted_quantile
from unmix.losses.squared import Squared

SAMPLE = 2**15  # rows from which parameters of losses are found
LEAST = 0.05  # of a loss that is multiplied: a flag set in one row of a thousand must not weigh as much as a column
NORMAL = 1.2533141373155001  # standard deviation over mean absolute deviation of a normal law
SCALES = ("auto", "column", "inertia", None)


class Sample(NamedTuple):
    """Rows to learn from, NaN where nothing was observed, their weights and their places in the table."""

    cells: np.ndarray
    weights: np.ndarray
    rows: np.ndarray
    entries: np.ndarray | None = None  # how much each cell counts beside its row, where cells of a row differ in that

    def of(self, j: int) -> Sample:
        """As column j has it: its cells' weights are those of the rows."""
        if self.entries is None:
            return self
        return self._replace(weights=self.weights * self.entries[:, j], entries=None)


def sample_rows(
    X: RowBlocks, weights: np.ndarray | None, zeros: bool, seed: int, entries: np.ndarray | None = None
) -> Sample:
    """All rows that count, or some of them drawn at random; cells of weight 0 were not observed."""
    rows = np.arange(X.shape[0]) if weights is None else np.flatnonzero(weights > 0)
    if len(rows) > SAMPLE:
        rows = np.sort(spawn(seed, 1).choice(rows, SAMPLE, replace=False))
    table = X if len(rows) == X.shape[0] else X.select(rows)
    found = Sample(table.map(dense, zeros), np.ones(len(rows)) if weights is None else weights[rows], rows)
    return found if entries is None else with_entries(found, entries)


def with_entries(sample: Sample, entry_weights: np.ndarray) -> Sample:
    """Cells of weight 0 were not observed; where all others of a row count alike, their weight is that of the row."""
    entries = entry_weights[sample.rows].astype(np.float64)
    cells, most = np.where(entries > 0, sample.cells, np.nan), entries.max(axis=1, initial=0.0)
    if ((entries == 0) | (entries == most[:, None])).all():
        return sample._replace(cells=cells, weights=sample.weights * most)
    return sample._replace(cells=cells, entries=entries)


class Levels(NamedTuple):
    """The largest value of each column among the rows that count, and the first that its loss cannot measure."""

    top: np.ndarray
    fault: tuple[int, str]

    def merge(self, other: Levels) -> Levels:
        return Levels(np.fmax(self.top, other.top), self.fault if self.fault[1] else other.fault)


def find_levels(block: Any, rows: Any, losses: tuple[Loss, ...], zeros: bool) -> Levels:
    cells = dense(block, rows, zeros)
    cells = cells if rows is None else cells[rows > 0]
    reasons = ((j, loss.problem(cells[:, [j]])) for j, loss in enumerate(losses))
    fault = next(((j, reason) for j, reason in reasons if reason), (0, ""))
    return Levels(np.fmax.reduce(cells, axis=0, initial=np.nan), fault)


def of_all_rows(losses: Sequence[Loss], X: RowBlocks, weights: np.ndarray | None, zeros: bool) -> list[Loss]:
    """The losses told how many levels their columns have, where some rows are not in the sample."""
    if X.shape[0] <= SAMPLE or all(type(loss) is Squared for loss in losses):
        return list(losses)
    found = X.reduce(find_levels, tuple(losses), zeros, rows=weights)
    if found.fault[1]:
        j, reason = found.fault
        raise ValueError(f"column {j} cannot be measured by the {losses[j].name} loss: it {reason}")
    return [with_levels(loss, top) for loss, top in zip(losses, found.top, strict=True)]


def with_levels(loss: Loss, top: float) -> Loss:
    given = any(getattr(loss, name, None) for name in ("shares", "thresholds"))
    if given or getattr(loss, "levels", 0) is not None:
        return loss
    return replace(loss, levels=int(np.nan_to_num(top)) + 1)  # type: ignore[type-var]


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


def side_by_side(loss: Loss, fits: list[Group], start: int) -> Group:
    """Groups of one column each under a loss that knows nothing of its columns, as one."""
    parts = (np.concatenate([getattr(fit, name) for fit in fits]) for name in ("shift", "unit", "factor"))
    return Group(loss, np.concatenate([fit.columns for fit in fits]), start, *parts)


def gathered(losses: Sequence[Loss], sample: Sample) -> list[tuple[Loss, np.ndarray]]:
    """Fitted losses and their columns: those that can go together do, in the order in which they first occur."""
    places: dict[Any, list[int]] = {}
    known: dict[Any, Loss] = {}
    for j, loss in enumerate(losses):
        if not loss.elementwise:
            loss = loss.fitted(sample.cells[:, [j]], sample.of(j).weights)
        together = loss.elementwise or loss.stacks
        if sample.entries is not None:  # what is known of a column depends on its own weights
            together = loss.elementwise and loss.fitted(sample.cells[:, [j]], sample.of(j).weights) == loss
        key = loss if together else (j, loss)
        known[key] = loss
        places.setdefault(key, []).append(j)
    return [(known[key], np.array(columns)) for key, columns in places.items()]


def fitted_group(
    loss: Loss, columns: np.ndarray, start: int, sample: Sample, scale: str | None, intercept: bool, sparse: bool
) -> Group:
    if sample.entries is not None:
        given = (scale, intercept, sparse)
        fits = [fitted_group(loss, columns[[i]], start, sample.of(j), *given) for i, j in enumerate(columns)]
        return fits[0] if len(fits) == 1 else side_by_side(loss, fits, start)
    x, g = sample.cells[:, columns], len(columns)
    known = loss.fitted(x, sample.weights)
    center = middle_of(known, x, sample.weights) if loss.in_units and intercept else np.zeros(g)
    unit = spread_of(known, x - center, sample.weights) if loss.in_units and scale else np.ones(g)
    if loss.in_units and intercept and not loss.quadratic:
        center = center + unit * known.constant((x - center) / unit, sample.weights)
    shift = np.zeros(g) if sparse and loss.quadratic else center  # zeros stay zeros
    group = Group(known, columns, start, shift, unit, np.ones(g))
    if not scale or (loss.in_units and loss.quadratic):
        return group
    wanted = 0.5 * (known.degrees() if scale == "inertia" else 1)
    cost = baseline(group, sample)
    least = 0.0 if loss.in_units else LEAST * wanted
    cost = np.where(cost > least, cost, least or wanted)
    return group._replace(factor=wanted / cost)


def middle_of(loss: Loss, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The mean, or the median where losses do not square: their best constant is known in units of the column alone."""
    return loss.constant(x, weights) if loss.quadratic else weighted_quantile(x, weights, 0.5)


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
        if sample.entries is None:
            out[group.place] = group.loss.constant(x, sample.weights)
            continue
        found = [group.loss.constant(x[:, [i]], sample.of(j).weights) for i, j in enumerate(group.columns)]
        out[group.place] = np.stack(found, axis=1).ravel()
    return out
