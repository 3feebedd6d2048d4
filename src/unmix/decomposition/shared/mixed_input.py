"""Frames and files with columns of many kinds: numbers in for a fit, and back out as they came."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from unmix.algorithms.factorization.design import Design
from unmix.io.given import names_files


def as_numbers(model: Any, X: Any, reset: bool) -> Any:
    """What the blocks of a fit are read from: the table itself, or its cells as numbers where it holds other kinds.

    Sets ``encoding_`` and ``kinds_`` on reset where it does.
    """
    if reset:
        for name in ("encoding_", "kinds_"):
            if hasattr(model, name):
                delattr(model, name)
        if isinstance(model.kinds, list | tuple):  # of the columns of a table of numbers, in order
            model.kinds_ = checked_kinds(model.kinds, X)
            return X
        if not model.kinds and not is_mixed(X):
            return X
        from unmix.io.mixed import encode_columns

        encoding = encode_columns(X, model.kinds)
        model.encoding_, model.kinds_ = encoding.to_plain(), encoding.kinds
    if not hasattr(model, "encoding_"):
        return X
    import polars as pl

    encoding = encoding_of(model)
    if isinstance(X, np.ndarray) or not (is_frame(X) or isinstance(X, dict) or names_files(X)):
        raise TypeError(f"the model was fitted to a table with names and kinds; got a {type(X).__name__}: give a frame")
    return pl.DataFrame(encoding.encode(X), schema=encoding.names)


def checked_kinds(kinds: Any, X: Any) -> list[str]:
    from unmix.io.mixed import KINDS

    for kind in kinds:
        if kind not in KINDS:
            raise ValueError(f"kinds holds {kind!r}; known kinds are {', '.join(KINDS)}")
    if np.ndim(X) == 2 and len(kinds) != np.shape(X)[1]:
        raise ValueError(f"kinds has {len(kinds)} entries, but X has {np.shape(X)[1]} columns; give one a column")
    return list(kinds)


def encoding_of(model: Any) -> Any:
    from unmix.io.mixed import Encoding

    return Encoding.from_plain(model.encoding_)


def is_frame(X: Any) -> bool:
    return is_pandas(X) or is_polars(X)


def is_pandas(X: Any) -> bool:
    return type(X).__module__.split(".")[0] == "pandas" and hasattr(X, "columns")


def is_polars(X: Any) -> bool:
    return type(X).__module__.split(".")[0] == "polars" and hasattr(X, "collect_schema")  # a lazy one, too


def is_mixed(X: Any) -> bool:
    """Whether some column of a frame, or of a file, holds anything but numbers."""
    if names_files(X):
        return not numbers_alone(X)
    if is_polars(X):
        return not all(dtype.is_numeric() for dtype in X.collect_schema().dtypes())
    return is_pandas(X) and not all(getattr(dtype, "kind", "O") in "fiu" for dtype in X.dtypes)


def numbers_alone(path: Any) -> bool:
    """Whether a file is a table of numbers, as every estimator reads it."""
    from unmix.io.dispatch import as_blocks

    try:
        as_blocks(path)
    except TypeError as error:
        if "is not numeric" not in str(error):
            raise
        return False
    return True


def restored(model: Any, array: np.ndarray) -> Any:
    """Rows as the table had them: a frame where one with other kinds than numbers was fitted."""
    return encoding_of(model).decode(array) if hasattr(model, "encoding_") else array


def filled_table(model: Any, array: np.ndarray, given: Any) -> Any:
    """The table that was given with its holes as the array has them; frames stay frames."""
    if hasattr(model, "encoding_"):
        return encoding_of(model).fill(given, array)
    if not is_frame(given):
        return array
    from unmix.io.mixed.restore import filled_frame

    if is_polars(given):
        return filled_frame(given, type(given)(array, schema=given.columns))
    return filled_frame(given, type(given)(array, index=given.index, columns=given.columns))


def model_columns(model: Any, design: Design) -> list[str]:
    """The name of every column of the model: a column of the table, or one of its levels."""
    names = [str(name) for name in getattr(model, "feature_names_in_", range(model.n_features_in_))]
    levels = [column["levels"] for column in model.encoding_["columns"]] if hasattr(model, "encoding_") else None
    out = [""] * design.width
    for group in design.groups:
        places = range(group.place.start, group.place.stop)
        for place, (level, j) in zip(places, product(range(group.loss.width), group.columns), strict=True):
            level_name = level if levels is None else levels[j][level] if levels[j] else level
            out[place] = names[j] if group.loss.width == 1 else f"{names[j]} = {level_name}"
    return out
