"""The relations that were found in some rows of a long table, measured on all of them by counts that add up.

Levels, normal scores and the line of every pair (`refined.py`) are fixed from the rows that were looked at; with them

    I(z; w) = ½ log₂(var w / var(w - r z)) + I(z; e)

has variances of all rows, from sums of products, and the bits of joint counts of all rows. Scores are whole multiples
of 2⁻¹⁰, so that every sum is a whole number, and the same whatever parts it is made of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import polars as pl

from unmix.exploration.associations.coding import OTHERS, Coded, code_numbers, coded_columns
from unmix.exploration.associations.refined import beyond_chance, line_of, rest_of, share_in
from unmix.exploration.columns.kinds import Kind
from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.findings.records import Association
from unmix.exploration.structure.evaluation_set import Rows
from unmix.exploration.structure.single_rows import single_rows

DIGITS = 2.0**10  # of a score
MOST_KNOTS = 257
READ = ("numeric", "category", "boolean")


class Ruler(NamedTuple):
    """From cells to levels and scores: of numbers the least value of each level but the first, or names of levels."""

    edges: np.ndarray
    knots: np.ndarray
    scores: np.ndarray
    names: list[str] | None

    @property
    def size(self) -> int:
        return 1 + len(self.edges if self.names is None else self.names)  # a level may be new

    def levels(self, cells: pl.Series) -> np.ndarray:
        """-1 for a missing cell."""
        if self.names is None:
            return _binned(self.edges, cells.to_numpy())
        place = {name: j for j, name in enumerate(self.names)}
        found = cells.replace_strict(place, default=len(place), return_dtype=pl.Int64)
        return np.where(cells.is_null().to_numpy(), -1, found.fill_null(-1).to_numpy())

    def score(self, cells: pl.Series) -> np.ndarray:
        """NaN for a missing cell, and for what has no score."""
        if self.names is not None:
            return np.full(len(cells), np.nan)
        return np.rint(np.interp(cells.to_numpy(), self.knots, self.scores) * DIGITS) / DIGITS


class Pair(NamedTuple):
    """Places of z and w among the rulers; r and the edges of e where a line was taken out."""

    i: int
    j: int
    r: float = 0.0
    edges: np.ndarray | None = None

    def rest(self, z: np.ndarray, w: np.ndarray) -> np.ndarray:
        """Levels of e."""
        assert self.edges is not None
        return _binned(self.edges, (w - self.r * z) / np.sqrt(1 - self.r**2))


class PairCounts(NamedTuple):
    """Joint counts of levels, and of levels of z and e; sums of z, z² over the rows that two columns share, of z w."""

    tables: list[np.ndarray]
    rests: list[np.ndarray | None]
    sums: np.ndarray

    def merge(self, other: PairCounts) -> PairCounts:
        rests = [None if a is None or b is None else a + b for a, b in zip(self.rests, other.rests)]
        return PairCounts([a + b for a, b in zip(self.tables, other.tables)], rests, self.sums + other.sums)


class PairPlan(NamedTuple):
    """The pairs to be counted, in the order of `found`, and how their columns are read, by name."""

    rulers: dict[str, Ruler]
    pairs: list[Pair]
    found: list[Association]
    depend: bool  # rows do: then more of them in the same stretch tell little more

    def tally(self, cells: Mapping[str, pl.Series]) -> PairCounts:
        """Of some rows, at most 2¹⁸."""
        codes = [ruler.levels(cells[name]) for name, ruler in self.rulers.items()]
        scores = [ruler.score(cells[name]) for name, ruler in self.rulers.items()]
        sizes = [ruler.size for ruler in self.rulers.values()]
        tables = [_joint(codes[p.i], codes[p.j], sizes[p.i], sizes[p.j]) for p in self.pairs]
        rests = [
            None if p.edges is None
            else _joint(codes[p.i], p.rest(scores[p.i], scores[p.j]), sizes[p.i], len(p.edges) + 1)
            for p in self.pairs
        ]  # fmt: skip
        return PairCounts(tables, rests, _sums(scores))

    def over_all(self, counts: PairCounts) -> list[Association]:
        """What was found, with the bits of all rows."""
        return [self._measured(item, p, counts, k) for k, (item, p) in enumerate(zip(self.found, self.pairs))]

    def _measured(self, item: Association, p: Pair, counts: PairCounts, k: int) -> Association:
        table, rest = counts.tables[k], counts.rests[k]
        plain = beyond_chance(table)
        bits = plain if rest is None else max(plain, _along(counts.sums, p) + beyond_chance(rest))
        n = int(table.sum())
        error = item.error if self.depend or item.error is None else item.error * float(np.sqrt(item.n_rows / n))
        return replace(item, bits=float(bits), error=error, share=share_in(table, plain), n_rows=n)


def plan_pairs(prepared: Prepared, looked_at: Rows, found: list[Association]) -> PairPlan | None:
    """Those of numbers and levels of which a share is new to tell; None where equal rows were taken for copies."""
    rows, _, order = single_rows(looked_at)
    if len(rows) < len(looked_at.numbers):
        return None
    coded = coded_columns(prepared, rows).coded
    kinds = {kind.values.name: kind for kind in prepared.kinds if kind.form in READ}
    rulers: dict[str, Ruler] = {}
    pairs, counted = [], []
    for item in found:
        if any(name not in kinds for name in item.columns):
            continue
        places = [coded.names.index(name) for name in item.columns]
        line = line_of(coded, places[0], coded, places[1])
        if line.kind == "whole":  # its bits are those of the different values of all rows, which nobody counts
            continue
        for name, place in zip(item.columns, places):
            rulers.setdefault(name, _ruler(kinds[name], coded, place, rows))
        i, j = (list(rulers).index(name) for name in (item.columns[::-1] if line.swapped else item.columns))
        e = rest_of(line) if line.kind == "line" else None
        pairs.append(Pair(i, j, line.r, None if e is None else _edges(e, code_numbers(e).codes)))
        counted.append(item)
    return PairPlan(rulers, pairs, counted, order is not None) if pairs else None


def _ruler(kind: Kind, coded: Coded, place: int, rows: np.ndarray) -> Ruler:
    none, names = np.empty(0), coded.levels[place]
    if names is not None:
        return Ruler(none, none, none, names[: names.index(OTHERS)] if OTHERS in names[-1:] else names)
    x = kind.values.gather(rows).to_numpy()
    given = np.isfinite(x)
    knots, first = np.unique(x[given], return_index=True)
    chosen = np.unique(np.linspace(0, len(knots) - 1, min(len(knots), MOST_KNOTS)).astype(int))
    scores = coded.scores[given, place][first]
    return Ruler(_edges(x[given], coded.codes[given, place]), knots[chosen], scores[chosen], None)


def _edges(x: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """The least value of each level but the first; levels rise with values."""
    values, first = np.unique(x, return_index=True)
    return np.asarray(values[1:][np.diff(codes[first]) > 0])


def _binned(edges: np.ndarray, x: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(x), -1, np.searchsorted(edges, x, side="right"))


def _joint(a: np.ndarray, b: np.ndarray, n_a: int, n_b: int) -> np.ndarray:
    cells = np.bincount((a + 1) * (n_b + 1) + b + 1, minlength=(n_a + 1) * (n_b + 1))
    return np.asarray(cells.reshape(n_a + 1, n_b + 1)[1:, 1:])


def _sums(scores: list[np.ndarray]) -> np.ndarray:
    """n, Σ z, Σ z² of each column (rows) where each other (columns) is given, and Σ z w, in units of 2⁻²⁰."""
    z = np.column_stack(scores)
    given = np.isfinite(z).astype(float)
    z = np.where(given > 0, z, 0.0)
    products = np.stack([given.T @ given, z.T @ given, (z * z).T @ given, z.T @ z])
    return np.rint(products * DIGITS**2).astype(np.int64)


def _along(sums: np.ndarray, p: Pair) -> float:
    """Bits that lie along the line."""
    n, z, w = (float(value) for value in (sums[0, p.i, p.j], sums[1, p.i, p.j], sums[1, p.j, p.i]))
    of_z = sums[2, p.i, p.j] / n - (z / n) ** 2
    of_w = sums[2, p.j, p.i] / n - (w / n) ** 2
    both = sums[3, p.i, p.j] / n - z * w / n**2
    return float(0.5 * np.log2(of_w / (of_w - 2 * p.r * both + p.r**2 * of_z)))
