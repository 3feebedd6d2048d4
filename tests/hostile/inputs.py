"""What a table can be that nobody would call a table, or only just: made from a good one.

Fit inputs replace the whole table; new inputs are handed to a model that was fitted to the good table.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

Maker = Callable[[np.ndarray, Path], Any]


def with_cell(value: float) -> Maker:
    def make(X: np.ndarray, folder: Path) -> np.ndarray:
        X = X.copy()
        X[1, 0] = value
        return X

    return make


def times(factor: float) -> Maker:
    return lambda X, folder: X * factor


def mixed_units(X: np.ndarray, folder: Path) -> np.ndarray:
    return X * np.where(np.arange(X.shape[1]) % 2, 1e-150, 1e150)


def strings(X: np.ndarray, folder: Path) -> np.ndarray:
    return np.where(np.median(X) < X, "high", "low")


def some_strings(X: np.ndarray, folder: Path) -> np.ndarray:
    cells = X.astype(object)
    cells[2, 0] = "n/a"
    return cells


def frame_with_strings(X: np.ndarray, folder: Path) -> pd.DataFrame:
    return pd.DataFrame(X).assign(name="x")


def dates(X: np.ndarray, folder: Path) -> np.ndarray:
    return np.datetime64("2020-01-01") + np.argsort(X, axis=None).reshape(X.shape).astype("timedelta64[D]")


def sparse_with_nan(X: np.ndarray, folder: Path) -> sparse.csr_array:
    return sparse.csr_array(with_cell(np.nan)(X, folder))


def garbage_file(X: np.ndarray, folder: Path) -> str:
    path = folder / "garbage.npy"
    path.write_bytes(b"\x00\xff not an array")
    return str(path)


def masked(X: np.ndarray, folder: Path) -> np.ma.MaskedArray:
    return np.ma.masked_greater(X, np.quantile(X, 0.95))


FITTED: dict[str, Maker] = {
    "one NaN": with_cell(np.nan),
    "one infinity": with_cell(np.inf),
    "one minus infinity": with_cell(-np.inf),
    "all NaN": lambda X, folder: np.full_like(X, np.nan),
    "a huge cell": with_cell(1e308),
    "times 1e300": times(1e300),
    "times 1e154": times(1e154),
    "times 1e-154": times(1e-154),
    "times 1e-300": times(1e-300),
    "denormal": times(1e-320),
    "units 300 decades apart": mixed_units,
    "constant": lambda X, folder: np.ones_like(X),
    "zeros": lambda X, folder: np.zeros_like(X),
    "one row repeated, one other": lambda X, folder: np.vstack([np.repeat(X[:1], len(X) - 1, axis=0), X[-1:]]),
    "one row": lambda X, folder: X[:1],
    "two rows": lambda X, folder: X[:2],
    "no rows": lambda X, folder: X[:0],
    "no columns": lambda X, folder: X[:, :0],
    "one column": lambda X, folder: X[:, :1],
    "one dimension": lambda X, folder: X[:, 0],
    "three dimensions": lambda X, folder: X[None],
    "nothing": lambda X, folder: None,
    "strings": strings,
    "some strings": some_strings,
    "frame with strings": frame_with_strings,
    "complex": lambda X, folder: X + 1j,
    "dates": dates,
    "ragged": lambda X, folder: [[1.0, 2.0], [3.0]],
    "dict": lambda X, folder: {"a": 1},
    "sparse with NaN": sparse_with_nan,
    "masked": masked,
    "half precision": lambda X, folder: X.astype(np.float16),
    "whole numbers": lambda X, folder: np.nan_to_num(X * 10).astype(np.int64),
    "no such file": lambda X, folder: str(folder / "absent.npy"),
    "garbage file": garbage_file,
}
NEW: dict[str, Maker] = {
    "new: one NaN": with_cell(np.nan),
    "new: one infinity": with_cell(np.inf),
    "new: times 1e300": times(1e300),
    "new: times 1e154": times(1e154),
    "new: times 1e-300": times(1e-300),
    "new: other columns": lambda X, folder: np.hstack([X, X]),
    "new: no rows": lambda X, folder: X[:0],
    "new: one dimension": lambda X, folder: X[0],
    "new: strings": strings,
}


def weight_of_one(value: float) -> Callable[[int], np.ndarray]:
    return lambda n: np.where(np.arange(n) == 1, value, 1.0)


WEIGHTS: dict[str, Callable[[int], Any]] = {
    "weights: one negative": weight_of_one(-1.0),
    "weights: one NaN": weight_of_one(np.nan),
    "weights: one infinity": weight_of_one(np.inf),
    "weights: one huge": weight_of_one(1e300),
    "weights: one tiny": weight_of_one(1e-300),
    "weights: all tiny": lambda n: np.full(n, 1e-300),
    "weights: all huge": lambda n: np.full(n, 1e300),
    "weights: all zero": np.zeros,
    "weights: all but one zero": lambda n: (np.arange(n) == 0).astype(float),
    "weights: too few": lambda n: np.ones(n - 1),
    "weights: two dimensions": lambda n: np.ones((n, 2)),
    "weights: strings": lambda n: ["heavy"] * n,
}
