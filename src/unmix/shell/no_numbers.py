"""What is no table of numbers, of which scikit-learn would make numbers without a word, or which it refuses in riddles.

Dates count from 1970 in a unit that nobody asked for; cells that hold lists or objects have no place among numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

NO_TABLES = (dict, set, frozenset)
NO_NUMBERS = ("Date", "Datetime", "Time", "Duration", "List", "Array", "Struct", "Object", "Binary")  # to polars


def refuse_no_numbers(estimator: str, X: Any) -> None:
    """One sentence, which names the first such column."""
    is_lazy = hasattr(X, "collect_schema") and not hasattr(X, "rows")  # a query of polars
    if is_lazy or isinstance(X, NO_TABLES):
        how = "call .collect() first" if is_lazy else "give an array, a frame, a sparse matrix or a path"
        raise TypeError(f"A {type(X).__name__} is no table of numbers, which {estimator} takes; {how}.")
    for name, kind in _no_numbers(X):
        raise TypeError(
            f"Input X{name} holds values of type {kind}. {estimator} takes numbers only; leave such columns out, or "
            f"turn them into numbers first, dates into days since one of them for example."
        )


def refuse_same_names(X: Any) -> None:
    """Of a frame of pandas, the only one that can have them; and a frame without any, of which nothing can be said."""
    names = getattr(X, "columns", None)
    if names is not None and not len(names):
        raise ValueError("X is a frame with 0 columns; give one with a column or more.")
    if getattr(names, "is_unique", True) is False:
        raise ValueError(f"Two columns of X have the name {names[names.duplicated()][0]!r}; give each one of its own.")


def _no_numbers(X: Any) -> Iterator[tuple[str, str]]:
    """The columns that hold none, as they are named in the sentence, and what they hold."""
    if isinstance(X, np.ndarray):
        yield from [("", str(X.dtype))] if X.dtype.kind in "mM" else []
    elif hasattr(X, "schema") and hasattr(X, "rows"):  # a frame of polars
        kinds = [(name, str(kind)) for name, kind in X.schema.items()]
        yield from ((f", column {name!r},", kind) for name, kind in kinds if kind.partition("(")[0] in NO_NUMBERS)
    elif hasattr(X, "dtypes") and hasattr(X, "columns"):  # of pandas
        kinds = [(name, kind) for name, kind in zip(X.columns, X.dtypes, strict=True)]
        yield from ((f", column {name!r},", str(kind)) for name, kind in kinds if getattr(kind, "kind", "") in "mM")
