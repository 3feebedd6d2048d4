"""The clusters of some rows carried to all rows of a long table, batch by batch, so that it need not fit into memory.

label        of the nearest centre, or as the model says
way          down the tree of groups inside groups, by the models of those
confidence   how often a row keeps its cluster when the model is fitted to a random part of the rows that were looked at
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from unmix.core.random import spawn
from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.findings.records import Cluster
from unmix.exploration.structure.clustering import Clustering, resamples_of
from unmix.io.long_table import LongTable
from unmix.io.text.cells import table_decimal_comma
from unmix.validation.evidence.resampled.distance import match_labels
from unmix.validation.fits.refit import refit

_rows_of_a_fit = 2000  # as those that row_stability makes


Ways = Callable[[np.ndarray, np.ndarray], np.ndarray]  # rows of X and their labels -> the way down the tree of groups


class Places(NamedTuple):
    """Label and confidence of every row of the table: -1 and nan for a row that was left out; and where groups split
    again the way down to its smallest group, "" for a row that was left out.
    """

    labels: np.ndarray
    confidence: np.ndarray
    paths: np.ndarray | None = None

    def sizes(self, k: int) -> np.ndarray:
        """Rows of each cluster."""
        return np.bincount(self.labels[self.labels >= 0], minlength=k)

    def counted(self) -> dict[str, int]:
        """Rows of each way down the tree of groups, or of each label."""
        ends = (self.labels if self.paths is None else self.paths)[self.labels >= 0]
        names, counts = np.unique(ends, return_counts=True)  # labels as they are: as text they take ten times as much
        return dict(zip(map(str, names.tolist()), counts.tolist()))


def place_all(
    data: LongTable, prepared: Prepared, clustering: Clustering, seed: int, ways: Ways | None = None
) -> Places:
    """Rows that were looked at keep what was found for them."""
    labels, confidence = np.full(data.height, -1), np.full(data.height, np.nan)
    places = Places(labels, confidence, None if ways is None else np.full(data.height, "", dtype=object))
    if not data.is_whole:
        _place_others(data, prepared, clustering, seed, places, ways)
    labels[data.rows], confidence[data.rows] = -1, np.nan
    labels[prepared.rows - 1], confidence[prepared.rows - 1] = clustering.labels, clustering.confidence
    if ways is not None and places.paths is not None:
        places.paths[data.rows] = ""
        places.paths[prepared.rows - 1] = ways(prepared.X, clustering.labels)
    return places


def _place_others(
    data: LongTable, prepared: Prepared, clustering: Clustering, seed: int, places: Places, ways: Ways | None
) -> None:
    decimal_comma = table_decimal_comma(data.sample.frame)
    n_refits = resamples_of(clustering.model, data.height) if clustering.selection.chosen_k > 1 else 0
    refits = make_refits(clustering.seen(prepared.X), clustering, n_refits, seed)
    start = 0
    for batch in data.batches():
        X, keep = prepared.encode_more(batch, decimal_comma)
        rows, X = start + np.flatnonzero(keep), X[keep]
        start += batch.height
        if len(rows):
            seen = clustering.seen(X)
            places.labels[rows] = found = np.asarray(clustering.model.predict(seen))
            same = [names[model.predict(seen)] == found for model, names in refits]
            places.confidence[rows] = np.mean(same, axis=0) if same else 1.0
            if ways is not None and places.paths is not None:
                places.paths[rows] = ways(X, found)


def make_refits(X: np.ndarray, clustering: Clustering, number: int, seed: int) -> list[tuple[Any, np.ndarray]]:
    """Models of random parts of the rows, and what the clusters of each are called in `clustering`."""
    made = []
    for s in range(number):
        rng = spawn(seed, 11, s)
        part = X[np.sort(rng.choice(len(X), min(_rows_of_a_fit, len(X) // 2), replace=False))]
        model = refit(clustering.model, part, int(rng.integers(2**31)))
        found = np.asarray(model.predict(X))
        names = np.full(clustering.selection.chosen_k, -1)
        names[found] = match_labels(found, clustering.labels)
        made.append((model, names))
    return made


def count_all(cards: list[Cluster], sizes: np.ndarray) -> list[Cluster]:
    """The cards with the sizes that clusters have among all rows."""
    return [
        replace(card, size=int(size), fraction=float(size / sizes.sum())) for card, size in zip(cards, sizes)
    ]  # fmt: skip
