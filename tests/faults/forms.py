"""One table in every form it can be given in, to every estimator: the same bits."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

from tests.faults.archives import METHODS, bits, fitted_bits, table_of
from tests.faults.part import Case, short_of
from tests.forms import spread
from tests.relations.subjects import SUBJECTS

NAMES = ("feature_names_in_", "item_names_", "model_columns_")  # frames have names, arrays none


def forms(X: np.ndarray, folder: Path) -> dict[str, Any]:
    """The numbers of X otherwise laid out, held, or kept in a file."""
    names = [f"c{j}" for j in range(X.shape[1])]
    frame = pl.DataFrame(X, schema=names)
    np.save(folder / "x.npy", X)
    frame.write_parquet(folder / "x.parquet")
    wide = np.zeros((len(X), 2 * X.shape[1]), X.dtype)
    wide[:, ::2] = X
    frozen = X.copy()
    frozen.setflags(write=False)
    found = {
        "columns first": np.asfortranarray(X),
        "every second column": wide[:, ::2],
        "read only": frozen,
        "other byte order": X.astype(X.dtype.newbyteorder()),
        "not aligned": np.frombuffer(b"\0" + X.tobytes(), np.uint8)[1:].view(X.dtype).reshape(X.shape),
        "pandas": frame.to_pandas(),
        "pandas, one block": pd.DataFrame(X, columns=names),
        "polars": frame,
        "memmap": np.load(folder / "x.npy", mmap_mode="r"),
        "npy": folder / "x.npy",
        "parquet": folder / "x.parquet",
    }
    return found if X.dtype == np.float32 else found | {"list": X.tolist()}  # a list has no precision


def answers(model: Any, X: Any) -> dict[str, Any]:
    """Fitted attributes and what the methods give, to be compared by bits."""
    found = {name: value for name, value in fitted_bits(model).items() if name not in NAMES}
    for method in METHODS:
        if hasattr(model, method):
            found[method] = bits(getattr(model, method)(X))
    return found


def same_bits(folder: Path, short: bool) -> Iterator[Case]:
    warnings.simplefilter("ignore")
    names = sorted(SUBJECTS, key=spread)[:5] if short else list(SUBJECTS)
    for name in names:
        for dtype in ("f8", "f4"):
            X = np.ascontiguousarray(table_of(name), dtype)
            expected = answers(SUBJECTS[name].make(1.0).fit(X), X)
            for form, given in forms(X, folder).items():
                yield f"{name} given {form} of {dtype}", _different(name, given, expected)


def _different(name: str, given: Any, expected: dict[str, Any]) -> str | None:
    try:
        found = answers(SUBJECTS[name].make(1.0).fit(given), given)
    except Exception as error:
        return short_of(error)
    other = sorted(key for key in expected.keys() | found.keys() if expected.get(key) != found.get(key))
    return f"other bits in {', '.join(other)}" if other else None
