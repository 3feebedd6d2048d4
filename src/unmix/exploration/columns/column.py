"""One column's record: its kind, its missing values, and a summary of its values for the reader."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from unmix.exploration.columns.kinds import Kind
from unmix.exploration.findings.records import Column
from unmix.io.base.errors import TableError

SHOWN_LEVELS = 12


def describe_column(name: str, kind: Kind) -> Column:
    """The record of a column before anything is done with it."""
    given = kind.values.drop_nulls()
    summary = _summaries[kind.form](given) if len(given) else {}
    n_unique = given.n_unique() if len(given) else 0
    n_rows, n_missing = len(kind.values), kind.values.null_count()
    return Column(name, kind.kind, False, "", n_missing, n_unique, summary, kind.why, kind.form, n_rows=n_rows)


def refuse_infinite(name: str, kind: Kind) -> None:
    """Infinite numbers have no place on any scale: say where the first one stands."""
    if kind.form != "numeric" or kind.values.is_infinite().sum() == 0:
        return
    where = kind.values.is_infinite().fill_null(False).arg_true()
    count = "an infinite value" if len(where) == 1 else f"{len(where)} infinite values"
    raise TableError(
        f"Column {name!r} holds {count} (first in row {where[0] + 1}); "
        "leave the cell empty if the value is not known, or put a number there."
    )


def skewness(values: np.ndarray) -> float:
    """Third standardised moment; 0 for a symmetric column."""
    scale = np.abs(values).max()
    centred = values / scale - (values / scale).mean() if scale > 0 else values
    spread = centred.std()
    return float(((centred / spread) ** 3).mean()) if spread > 0 else 0.0


def _numeric(given: pl.Series) -> dict[str, Any]:
    values = given.to_numpy()
    low, q25, median, q75, high = np.quantile(values, [0, 0.25, 0.5, 0.75, 1])
    scale = max(abs(low), abs(high)) or 1.0  # so that squares of 1e300 do not overflow
    std = float((values / scale).std() * scale)
    n_bins = int(np.clip(np.sqrt(len(values)), 5, 24))
    counts, edges = np.histogram(values / scale, bins=n_bins)
    return {
        "min": low, "q25": q25, "median": median, "q75": q75, "max": high,
        "mean": float((values / scale).mean() * scale), "std": std, "skewness": skewness(values),
        "histogram": {"edges": (edges * scale).tolist(), "counts": counts.tolist()},
    }  # fmt: skip


def _levels(given: pl.Series) -> dict[str, Any]:
    counts = given.value_counts().sort(["count", given.name], descending=[True, False])
    top = [{"value": value, "count": count} for value, count in counts.head(SHOWN_LEVELS).iter_rows()]
    return {"levels": top, "n_other": len(given) - sum(level["count"] for level in top)}


def _text(given: pl.Series) -> dict[str, Any]:
    return {"example": given[0][:80], "mean_length": float(np.mean(given.str.len_chars().to_numpy()))}


def _range(given: pl.Series) -> dict[str, Any]:
    if given.dtype == pl.Float64 and (given == given.floor()).all():
        given = given.cast(pl.Int64)  # years, months, hours
    return {"min": str(given.min()), "max": str(given.max())}


_summaries = {
    "numeric": _numeric,
    "category": _levels,
    "boolean": _levels,
    "constant": lambda given: {"value": given[0]},
    "id": _text,
    "text": _text,
    "date": _range,
}
