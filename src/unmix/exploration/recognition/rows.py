"""Counts and dissimilarities as points, so that components, the number of clusters, map and cards are those of a table.

counts            √(share of each column in its row): distances of Hellinger, in which rows are alike if shares are
dissimilarities   their constant-shift embedding, in which pairwise clustering is K-means        (Roth et al. 2003)

The clusters themselves are found by the method of the form: histogram clustering, pairwise clustering.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from unmix.exploration.columns.column import describe_column
from unmix.exploration.columns.imputation import Filling
from unmix.exploration.columns.kinds import Kind, kind_of, row_names
from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.findings.records import Column, Missing
from unmix.exploration.recognition.form import ASKED, Form
from unmix.exploration.structure.clustering import Clustering
from unmix.io.base.errors import TableError
from unmix.io.text.cells import table_decimal_comma
from unmix.validation.evidence.resampled.distance import match_labels

_most_dimensions = 30
_euclidean = 1e-3  # of the largest eigenvalue: no further below 0 than decimals bring it
_landmarks = 8  # objects whose distances describe clusters
_what = {
    "counts": "counts: used as a share of its row",
    "dissimilarities": "distance to an object that lies apart from the others; describes the clusters",
}


def prepare_form(form: Form, frame: pl.DataFrame, names: str | None) -> Prepared:
    """The points of a recognised table, with the columns that describe them."""
    keep = form.values.sum(axis=1) > 0 if form.name == "counts" else np.ones(frame.height, bool)
    values = form.values[keep]
    if len(values) < 2:
        raise TableError("Fewer than two rows count anything; nothing can be compared.")
    X = _shares(values) if form.name == "counts" else _embedded(values)
    shown = list(form.columns) if form.name == "counts" else [form.columns[j] for j in _apart(values)]
    kinds, columns = _described(form._replace(values=values), frame.filter(pl.Series(keep)), shown, names)
    d = X.shape[1]
    said = f"{int((~keep).sum())} rows count nothing, and got no cluster." if not keep.all() else "No value is missing."
    gaps = int(np.isnan(values).sum())
    if gaps:
        said = "Missing dissimilarities were filled for the map with the mean of their row and column."
    missing = Missing(gaps, gaps / form.values.size, said, int((~keep).sum()))
    return Prepared(
        X, np.arange(d), np.zeros(d, bool), np.zeros(X.shape, bool), [], columns, kinds, np.flatnonzero(keep) + 1,
        missing, [] if form.reason == ASKED else [f"The table was read as {form.name}: {form.reason}."], Filling(None),
        names=list(form.columns) if form.name == "counts" else [f"dimension {j + 1}" for j in range(d)],
    )  # fmt: skip


def regroup(form: Form, prepared: Prepared, clustering: Clustering, seed: int) -> Clustering:
    """The clusters by the method of the form, as many as were counted among the points, and its model."""
    from unmix.cluster import HistogramClustering, PairwiseClustering  # most tables need neither

    k = clustering.selection.chosen_k
    values = form.values[prepared.rows - 1]
    if form.name == "counts":
        model: Any = HistogramClustering(k, random_state=seed).fit(values)
    else:
        given = {"metric": "precomputed", "missing": "ignore", "random_state": seed}
        model = PairwiseClustering(k, **given).fit(_squared(values))
    labels = np.asarray(model.labels_)
    if k == 1 or len(np.unique(labels)) < k:
        return clustering._replace(model=model, shape=form.name)
    centers = np.stack([prepared.X[labels == label].mean(axis=0) for label in range(k)])
    stability = [clustering.stability[int(j)] for j in match_labels(labels, clustering.labels)]
    return clustering._replace(model=model, labels=labels, centers=centers, stability=stability, shape=form.name)


def _shares(counts: np.ndarray) -> np.ndarray:
    return np.asarray(np.sqrt(counts / counts.sum(axis=1, keepdims=True)))


def _embedded(D: np.ndarray) -> np.ndarray:
    """Coordinates in which squared distances are the dissimilarities but for a constant."""
    from unmix.embedding import ConstantShiftEmbedding

    D = _filled(_squared(D))
    return np.asarray(ConstantShiftEmbedding(min(_most_dimensions, len(D) - 1)).fit_transform(D))


def _filled(D: np.ndarray) -> np.ndarray:
    rows = np.nanmean(D, axis=1)
    D = np.where(np.isnan(D), (rows[:, None] + rows) / 2, D)
    D = (D + D.T) / 2  # what decimals made of a symmetric table
    np.fill_diagonal(D, 0.0)
    return D


def _squared(D: np.ndarray) -> np.ndarray:
    """Distances between points, squared, as the embedding wants them; other dissimilarities as they are."""
    full = _filled(D**2)
    centred = full - full.mean(axis=0) - full.mean(axis=1)[:, None] + full.mean()
    values = np.linalg.eigvalsh(-centred / 2)
    return np.asarray(D**2 if values[0] >= -_euclidean * values[-1] else D)


def _apart(D: np.ndarray) -> list[int]:
    """A few objects, each far from those before it."""
    near = np.nan_to_num(D, nan=0.0)
    chosen = [int(near.sum(axis=1).argmin())]
    while len(chosen) < min(_landmarks, len(D)):
        chosen.append(int(near[:, chosen].min(axis=1).argmax()))
    return sorted(set(chosen))


def _described(form: Form, frame: pl.DataFrame, shown: list[str], names: str | None) -> tuple[list[Kind], list[Column]]:
    """The records of the columns shown, and of those that hold no values."""
    comma, place = table_decimal_comma(frame), {name: j for j, name in enumerate(form.columns)}
    kinds, columns = [], []
    for series in frame:
        if series.name in shown:
            values = pl.Series(series.name, form.values[:, place[series.name]]).fill_nan(None)
            kind = Kind("count" if form.name == "counts" else "numeric", values, form.reason, treated_as="numeric")
        elif series.name in place:
            continue
        else:
            kind = row_names(series) if series.name == names else kind_of(series, comma)
        column = describe_column(series.name, kind)
        column.used = series.name in shown
        column.what = _what[form.name] if column.used else f"kept aside: {kind.why}"
        kinds.append(kind)
        columns.append(column)
    return kinds, columns
