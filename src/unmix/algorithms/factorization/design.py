"""How the columns of a table meet the columns of the model: which loss, in which unit, how heavy, and where.

A cell x of a column is seen as (x - shift) / unit, and its loss counts ``factor`` times.  Columns with the same loss
go together in a group; the model has ``width`` columns for each of theirs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.losses.base import Loss


class Group(NamedTuple):
    """Columns of the table that share a loss, and the place of theirs in the model."""

    loss: Loss
    columns: np.ndarray  # (g,)
    start: int
    shift: np.ndarray  # (g,)
    unit: np.ndarray
    factor: np.ndarray

    @property
    def place(self) -> slice:
        return slice(self.start, self.start + len(self.columns) * self.loss.width)

    def wide(self, per_column: np.ndarray) -> np.ndarray:
        """What belongs to the columns of the table, repeated for those of the model."""
        return per_column if self.loss.width == 1 else np.tile(per_column, self.loss.width)

    def seen(self, cells: np.ndarray) -> np.ndarray:
        """The cells of the group, shifted and in units."""
        chosen = cells if self.is_all(cells.shape[1]) else cells[:, self.columns]
        if not self.loss.in_units:
            return chosen
        centred = chosen - self.shift.astype(cells.dtype) if self.shift.any() else chosen
        return centred / self.unit.astype(cells.dtype)

    def is_all(self, d: int) -> bool:
        return len(self.columns) == d and bool((self.columns == np.arange(d)).all())


class Design(NamedTuple):
    groups: tuple[Group, ...]
    width: int  # columns of the model

    @property
    def quadratic(self) -> bool:
        return all(group.loss.quadratic for group in self.groups)

    @property
    def safe(self) -> bool:
        """Whether every step to the lowest point of the parabolas goes down."""
        return all(group.loss.majorizes and type(group.loss).newton is Loss.newton for group in self.groups)

    @property
    def factors(self) -> np.ndarray:
        """How much each column of the model counts."""
        return self.spread([group.factor for group in self.groups])

    def spread(self, by_group: list[np.ndarray]) -> np.ndarray:
        """One number a column of each group, laid out as the columns of the model."""
        out = np.empty(self.width)
        for group, values in zip(self.groups, by_group, strict=True):
            out[group.place] = group.wide(np.asarray(values, dtype=np.float64))
        return out

    @property
    def keeps_zeros(self) -> bool:
        """Whether a sparse table stays sparse: numbers alone, in units, but not shifted."""
        group = self.groups[0]
        return len(self.groups) == 1 and group.loss.in_units and group.loss.quadratic and not group.shift.any()

    def targets(self, block: Any) -> Any:
        """For quadratic losses what the model is to meet, (n, width); NaN where nothing was observed."""
        if hasattr(block, "tocsr"):
            scaled = block.copy()
            scaled.data = scaled.data / self.groups[0].unit.astype(block.dtype)[scaled.indices]
            return scaled
        if len(self.groups) == 1 and self.groups[0].loss.width == 1 and self.groups[0].is_all(block.shape[1]):
            return self.groups[0].loss.targets(self.groups[0].seen(block))
        out = np.empty((len(block), self.width), block.dtype)
        for group in self.groups:
            out[:, group.place] = group.loss.targets(group.seen(block))
        return out


class Parabolas(NamedTuple):
    """Of every cell of some rows under a model: what the rows cost, slope and bend in each column of the model."""

    value: np.ndarray  # (n,)
    slope: np.ndarray  # (n, width)
    bend: np.ndarray


def parabolas(design: Design, cells: np.ndarray, mask: np.ndarray, m: np.ndarray) -> Parabolas:
    """``mask`` says how often a cell counts: 0 where it was not observed (``cells`` holds 0 there)."""
    if len(design.groups) == 1 and (design.groups[0].factor == 1).all() and (mask == 1).all():
        found = design.groups[0].loss.newton(design.groups[0].seen(cells), m)
        return Parabolas(found[0].sum(axis=1, dtype=np.float64), found[1], found[2])
    value, slope, bend = np.zeros(len(m)), np.empty_like(m), np.empty_like(m)
    for group in design.groups:
        counts = mask if group.is_all(mask.shape[1]) else mask[:, group.columns]
        counts = counts * group.factor.astype(m.dtype)
        found = group.loss.newton(group.seen(cells), m[:, group.place])
        value += cost_of_rows(found[0], counts)
        counts = group.wide(counts)
        slope[:, group.place] = found[1] * counts
        bend[:, group.place] = found[2] * counts
    return Parabolas(value, slope, bend)


def cost_of_rows(cost: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Σ_j cost counts; a cell that does not count may cost anything, also infinitely much."""
    total: np.ndarray = np.einsum("ij,ij->i", cost, counts, dtype=np.float64)
    if not np.isfinite(total).all():
        total = (np.where(counts > 0, cost, 0) * counts).sum(axis=1, dtype=np.float64)
    return total


def values(design: Design, cells: np.ndarray, mask: np.ndarray, m: np.ndarray) -> np.ndarray:
    """What every cell costs, (n, d)."""
    out = np.zeros(mask.shape)
    for group in design.groups:
        cost, counts = group.loss.value(group.seen(cells), m[:, group.place]), mask[:, group.columns]
        out[:, group.columns] = np.where(counts > 0, cost, 0.0) * group.factor * counts
    return out


def read_cells(block: Any, entry_weights: np.ndarray | None, sparse_is_zero: bool) -> tuple[np.ndarray, np.ndarray]:
    """Cells with 0 for what was not observed, and how often each counts."""
    if hasattr(block, "tocsr"):
        block, known = block.toarray(), None if sparse_is_zero else stored(block, block.dtype)
    else:
        known = None
    observed = ~np.isnan(block)
    mask = observed.astype(block.dtype)
    cells = block if observed.all() else np.where(observed, block, block.dtype.type(0))
    if known is not None:
        mask *= known
    if entry_weights is not None:
        mask *= entry_weights
        cells = np.where(mask > 0, cells, cells.dtype.type(0))
    return cells, mask


def stored(block: Any, dtype: Any) -> np.ndarray:
    ones = block.copy()
    ones.data = np.ones_like(block.data)
    mask: np.ndarray = ones.toarray().astype(dtype)
    return mask
