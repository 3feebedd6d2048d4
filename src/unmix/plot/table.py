"""The rows of a figure: read from whatever the user gives, named, and thinned out where there are too many to see."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from numbers import Integral
from typing import Any

import numpy as np

from unmix.core.arguments import whole_number
from unmix.core.warning_filters import without_warnings

MOST_POINTS = 5000  # dots beyond which a scatter is a blot, and a file large


def read_table(X: Any, *, allow_nan: bool = False) -> Any:
    """X as an (n, d) float array, or CSR."""
    from sklearn.utils.validation import check_array

    from unmix.core.canonical import canonical
    from unmix.shell.data import is_out_of_core

    if is_out_of_core(X):
        raise TypeError(f"X is a {type(X).__name__}; figures take tables in memory: give an array, a frame or a sample")
    finite = "allow-nan" if allow_nan else True
    table = check_array(X, accept_sparse="csr", dtype=[np.float64, np.float32], ensure_all_finite=finite)
    return canonical(table) if hasattr(table, "tocsr") else table


def column_names(X: Any, estimator: Any, d: int) -> list[str]:
    """Names of the columns: of the table, of the fit, or their numbers."""
    for names in (getattr(X, "columns", None), getattr(estimator, "feature_names_in_", None)):
        if names is not None and len(names) == d:
            return [str(name) for name in names]
    return [f"column {j}" for j in range(d)]


def column_numbers(columns: Any, names: list[str], wanted: Sequence[int] = (2,)) -> list[int]:
    """Columns given by number or name, as numbers; as many as wanted."""
    given: list[Any] = [columns] if isinstance(columns, str | Integral) else list(columns)
    numbers = [names.index(c) if c in names else c for c in given]
    valid = all(isinstance(j, Integral) and not isinstance(j, bool) and -len(names) <= j < len(names) for j in numbers)
    numbers = [int(j) % len(names) for j in numbers] if valid else []
    if len(set(numbers)) not in wanted or len(set(numbers)) != len(given):
        many = " or ".join(str(n) for n in wanted)
        raise ValueError(f"columns={columns!r}: give {many} different of the {len(names)} columns, by number or name")
    return numbers


def dense_columns(table: Any, numbers: Sequence[int]) -> np.ndarray:
    """Some columns as a dense float64 array."""
    chosen = table[:, list(numbers)]
    return np.asarray(chosen.toarray() if hasattr(chosen, "toarray") else chosen, np.float64)


def drawn_rows(n: int, most: Any, random_state: Any) -> np.ndarray:
    """Numbers of the rows that are drawn: all, or ``most`` of them at random."""
    from sklearn.utils import check_random_state

    whole_number("max_points", most)
    if n <= most:
        return np.arange(n)
    return np.sort(check_random_state(random_state).choice(n, int(most), replace=False))


def row_note(shown: int, n: int) -> str:
    """What to say of rows that are not drawn."""
    return "" if shown == n else f"{shown:,} of {n:,} rows drawn"


@contextmanager
def unnamed():
    """A model fitted on named columns is asked about places of the figure, which have none; no warning of that."""
    with without_warnings(UserWarning, message="X does not have valid feature names"):
        yield


def labels_for(estimator: Any, X: Any, n: int) -> np.ndarray:
    """The cluster of every row of X: by predict, or those of the fit where they are as many as the rows."""
    if hasattr(estimator, "predict"):
        return np.asarray(estimator.predict(X))
    labels = getattr(estimator, "labels_", None)
    if labels is None:
        raise TypeError(
            f"{type(estimator).__name__} has neither labels_ nor predict; fit it, or give another clusterer"
        )
    if len(labels) != n:
        raise ValueError(f"X has {n} rows and labels_ {len(labels)}; without predict, give the rows of the fit")
    return np.asarray(labels)


def checked_labels(labels: Any, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Distinct labels, and for every row the place of its own among them; -1 (left out) stays -1."""
    labels = np.asarray(labels)
    if labels.shape != (n,):
        raise ValueError(f"labels has shape {labels.shape}; give one label for each of the {n} rows")
    left_out = labels == -1 if labels.dtype.kind in "iuf" else np.zeros(n, bool)
    names, places = np.unique(labels[~left_out], return_inverse=True)
    found = np.full(n, -1)
    found[~left_out] = places
    return names, found
