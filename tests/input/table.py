"""Estimators × forms of input, tried."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse

from tests.relations.subjects import SUBJECTS

ESTIMATORS = [name for name in SUBJECTS if " " not in name]
FORMS = ("pandas", "polars", "file", "Dask", "sparse", "weights", "gaps")


def takes(name: str, form: str, folder: Path) -> str:
    """yes, `missing="ignore"` for gaps that are taken when asked for, or no."""
    subject = SUBJECTS[name]
    X, model = subject.table(subject.n, np.random.default_rng(0)), subject.make(1.0)
    if form == "weights":
        return "yes" if "sample_weight" in inspect.signature(model.fit).parameters else "no"
    if form != "gaps":
        return "yes" if _fits(model, MADE[form](X, folder)) else "no"
    holed = np.where(np.arange(X.size).reshape(X.shape) == 7, np.nan, X)
    if _fits(model, holed):
        return "yes"
    asked = "missing" in model.get_params() and _fits(model.set_params(missing="ignore"), holed)
    return '`missing="ignore"`' if asked else "no"


def _fits(model: Any, X: Any) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model.fit(X)
        except (ValueError, TypeError):
            return False
    return True


def _file(X: np.ndarray, folder: Path) -> str:
    pl.DataFrame(X).write_parquet(folder / "table.parquet")
    return str(folder / "table.parquet")


def _dask(X: np.ndarray, folder: Path) -> Any:
    import dask.array

    return dask.array.from_array(X, chunks=(max(1, len(X) // 2), -1))


MADE: dict[str, Callable[[np.ndarray, Path], Any]] = {
    "pandas": lambda X, folder: pd.DataFrame(X),
    "polars": lambda X, folder: pl.DataFrame(X),
    "file": _file,
    "Dask": _dask,
    "sparse": lambda X, folder: sparse.csr_array(X),
}
