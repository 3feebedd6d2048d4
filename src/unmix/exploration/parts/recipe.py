"""All that a worker needs to give rows their clusters: how cells are read and scaled, the model, its refits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from unmix.exploration.columns.kinds import Kind
from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.structure.clustering import Clustering

Ways = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Recipe:
    """`prepared` and `clustering` without their rows; `found_*` are those of the rows that were looked at."""

    prepared: Prepared
    clustering: Clustering
    refits: list[tuple[Any, np.ndarray]]
    ways: Ways | None
    decimal_comma: bool
    found_rows: np.ndarray  # numbers from 0, rising, of all rows that were looked at
    found_labels: np.ndarray  # -1 for one that was left out
    found_confidence: np.ndarray
    found_ways: np.ndarray | None

    def labels(self, frame: pl.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Features of the rows that can be compared, which rows these are, and the label of every row."""
        X, keep = self.prepared.encode_more(frame, self.decimal_comma)
        X, labels = X[keep], np.full(frame.height, -1)
        if len(X):
            labels[keep] = np.asarray(self.clustering.model.predict(self.clustering.seen(X)))
        return X, keep, labels

    def confidence(self, X: np.ndarray, keep: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """How often each row keeps its cluster when the model is fitted to other rows."""
        out = np.full(len(keep), np.nan)
        if len(X):
            seen = self.clustering.seen(X)
            same = [names[np.asarray(model.predict(seen))] == labels[keep] for model, names in self.refits]
            out[keep] = np.mean(same, axis=0) if same else 1.0
        return out

    def paths(self, X: np.ndarray, keep: np.ndarray, labels: np.ndarray) -> np.ndarray | None:
        """The way of each row down the tree of groups, where there is one."""
        if self.ways is None:
            return None
        out = np.full(len(keep), "", dtype=object)
        out[keep] = self.ways(X, labels[keep])
        return out


def make_recipe(
    prepared: Prepared, clustering: Clustering, refits: list[tuple[Any, np.ndarray]], ways: Ways | None,
    decimal_comma: bool, rows: np.ndarray,
) -> Recipe:  # fmt: skip
    """Of a table some rows of which, by these numbers, were looked at; they keep what was found for them."""
    places = np.searchsorted(rows, prepared.rows - 1)
    labels, confidence = np.full(len(rows), -1), np.full(len(rows), np.nan)
    labels[places], confidence[places] = clustering.labels, clustering.confidence
    found = None if ways is None else np.full(len(rows), "", dtype=object)
    if ways is not None and found is not None:
        found[places] = ways(prepared.X, clustering.labels)
    model = clustering._replace(labels=clustering.labels[:0], confidence=clustering.confidence[:0], evidence=None)
    return Recipe(without_rows(prepared), model, refits, ways, decimal_comma, rows, labels, confidence, found)


def without_rows(prepared: Prepared) -> Prepared:
    """How other rows are read and scaled, and no more."""
    empty: dict[str, Any] = {"X": prepared.X[:0], "holes": prepared.holes[:0], "rows": prepared.rows[:0]}
    return prepared._replace(**empty, kinds=[_slim(kind) for kind in prepared.kinds], group=None, order=None)


def _slim(kind: Kind) -> Kind:
    """Without its values, of which only those of yes and no tell how others are read."""
    return kind._replace(values=kind.values.unique() if kind.form == "boolean" else kind.values[:0])
