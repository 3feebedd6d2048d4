"""What is judged and what the chosen model is fitted to: a table in memory, or one that is read where it lies.

Of files or a dask collection with more rows than are judged, only these are brought together: drawn by their places,
by the workers of a cluster where there is one. All other rows are read in passes, for what rules them out and for the
final fit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import get_tags

from unmix.core.random import spawn
from unmix.io.dispatch import as_blocks
from unmix.shell.data import check_finite, is_out_of_core
from unmix.shell.estimator import Estimator
from unmix.validation.evidence.far_rows import set_aside, set_aside_in_blocks
from unmix.validation.evidence.gibbs import takes_dissimilarities
from unmix.validation.fits.table import Table, most_rows, read_table, read_weights, sampled


class Data(NamedTuple):
    """`rows` in the order of the table with their `weights`, and the `table` to be judged, `n_judged` different rows.

    `source` is what the model is fitted to; `far` are the words on rows that were set aside.
    """

    rows: np.ndarray
    weights: np.ndarray | None
    table: Table
    source: Any
    source_weights: np.ndarray | None
    n_judged: int
    far: list[str]


def read_data(estimator: Any, X: Any, sample_weight: Any, max_rows: int, seed: int) -> Data:
    most = most_rows(max_rows)
    if sample_weight is None and _reads_in_place(estimator) and is_out_of_core(X):
        blocks = as_blocks(X)
        if blocks.shape[0] > most and not blocks.sparse:
            return _in_place(estimator, X, blocks, most, seed)
    X = read_table(estimator, X)
    weights, far = set_aside(estimator, X, read_weights(estimator, sample_weight, len(X)))
    n_judged = min(len(X) if weights is None else int((weights > 0).sum()), most)
    return Data(X, weights, sampled(X, weights, most, seed), X, weights, n_judged, far)


def _reads_in_place(estimator: Any) -> bool:
    """Estimators of unmix; others take arrays, and rows of dissimilarities say nothing without the others."""
    return isinstance(estimator, Estimator) and not takes_dissimilarities(estimator)


def _in_place(estimator: Any, X: Any, blocks: Any, most: int, seed: int) -> Data:
    check_finite(estimator, blocks, allow_nan=get_tags(estimator).input_tags.allow_nan)
    weights, far = set_aside_in_blocks(estimator, blocks)
    n = blocks.shape[0]
    places = n if weights is None else np.flatnonzero(weights)
    drawn = spawn(seed, 2**20).choice(places, min(most, n if weights is None else len(places)), replace=False)
    rows = blocks.take(np.sort(drawn))
    return Data(rows, None, Table(rows, None, n), X, weights, len(rows), far)
