"""An encoding as a file beside the model: names, scales and levels as JSON, numbers as plain arrays."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np
import polars as pl

from unmix.core.storage.archive import REFUSALS, read_archive, reason, write_archive
from unmix.exploration.assignment.encoding import Axes, Encoding, Kept, UsedColumn
from unmix.exploration.columns.encode import Indicators, NumberScale
from unmix.exploration.columns.imputation import Filling
from unmix.io.base.errors import TableError
from unmix.shell.persistence import from_document, load, to_document

FILE, MODEL = "encoding.unmix", "model.unmix"
FORMAT, SCHEMA = "unmix encoding", 1
_scales = {"NumberScale": NumberScale, "Indicators": Indicators}


def write_encoding(encoding: Encoding, path: Path) -> None:
    """Everything but the model, which has a file of its own."""
    arrays: list[np.ndarray] = []
    kept = encoding.kept
    document = {
        "format": FORMAT,
        "schema": SCHEMA,
        **{name: getattr(encoding, name) for name in ("source", "n_rows", "settings", "names", "sizes")},
        "table_columns": encoding.table_columns,
        "columns": [_exact(column._asdict()) for column in encoding.columns],
        "scales": [{"kind": type(scale).__name__, **_exact(asdict(scale))} for scale in encoding.scales],
        "filling": None if encoding.filling.pca is None else to_document(encoding.filling.pca, arrays),
        "axes": None if encoding.axes is None else [_put(part, arrays) for part in encoding.axes],
        "values": [_column(kept.values[column.name], column, arrays) for column in encoding.columns],
        "rows": _put(kept.rows, arrays),
        "labels": _put(kept.labels, arrays),
        "confidence": _put(kept.confidence, arrays),
        "blocks": _put(kept.blocks, arrays),
        "dependence": kept.dependence,
    }
    write_archive(path, document, arrays)


def read_encoding(path: str | Path) -> Encoding:
    """Of a folder that `explore` wrote, or of the model in it."""
    folder = Path(path)
    folder = folder if folder.is_dir() else folder.parent
    if not Path(path).exists():
        raise TableError(f"There is no {path}; give a folder that unmix explore wrote, or the model.unmix in it.")
    if Path(path).is_file() and Path(path).suffix != Path(MODEL).suffix:
        raise TableError(f"{path} is no model; give a folder that unmix explore wrote, or the model.unmix in it.")
    for name in (FILE, MODEL):
        if not (folder / name).is_file():
            raise TableError(
                f"{folder} holds no {name}, which unmix explore writes beside its report; explore the table again, "
                "and give its folder."
            )
    try:
        encoding = _checked(_decoded(*read_archive(folder / FILE)))
    except (*REFUSALS, pl.exceptions.PolarsError) as error:
        raise TableError(f"{folder / FILE} cannot be read: {reason(error)}.") from error
    try:
        encoding.model = load(folder / MODEL)
    except ValueError as error:
        raise TableError(f"{error}.") from error
    return encoding


def _decoded(document: dict[str, Any], arrays: list[np.ndarray]) -> Encoding:
    if document.get("format") != FORMAT or document.get("schema") != SCHEMA:
        raise ValueError("it is no encoding of this version of unmix")
    columns = [_used(entry) for entry in document["columns"]]
    values = [_series(column, arrays[at]) for column, at in zip(columns, document["values"])]
    pca = document["filling"]
    axes = document["axes"]

    def numbers(name: str) -> np.ndarray:
        return arrays[document[name]]

    return Encoding(
        str(document["source"]), int(document["n_rows"]), dict(document["settings"]), list(document["names"]),
        list(document["sizes"]), list(document["table_columns"]), columns, [_scale(s) for s in document["scales"]],
        Filling(None if pca is None else from_document(pca, arrays)),
        None if axes is None else Axes(*(arrays[at] for at in axes)),
        Kept(
            numbers("rows"), pl.DataFrame(values), numbers("labels"), numbers("confidence"), numbers("blocks"),
            str(document["dependence"]),
        ),
    )  # fmt: skip


def _checked(encoding: Encoding) -> Encoding:
    """What is read is data of a stranger: its parts must fit together."""
    kept, n = encoding.kept, encoding.kept.values.height
    names = [column.name for column in encoding.columns]
    if [scale.column for scale in encoding.scales] != names or not names:
        raise ValueError("its columns and scales do not belong together")
    for part in (*encoding.columns, *encoding.scales):
        _check_kinds(part)
    if any(part.shape != (n,) for part in (kept.rows, kept.labels, kept.confidence, kept.blocks)) or not n:
        raise ValueError("its rows do not belong together")
    if not set(np.unique(kept.labels).tolist()) <= set(range(len(encoding.names))) or kept.blocks.min() < 0:
        raise ValueError("its rows are in groups that it does not have")
    return encoding


def _check_kinds(part: Any) -> None:
    """Every field of a column or a scale is of the kind that its class declares."""
    values = part._asdict() if hasattr(part, "_asdict") else vars(part)
    for name, kind in get_type_hints(type(part)).items():
        if not _is_a(values[name], kind):
            raise ValueError(f"the {name} of its column {str(values.get('name', values.get('column')))!r} is no {kind}")


def _is_a(value: Any, kind: Any) -> bool:
    inner = get_args(kind)
    if get_origin(kind) in (list, tuple):
        return isinstance(value, get_origin(kind)) and all(_is_a(item, inner[0]) for item in value)
    if inner:  # one of several
        return any(_is_a(value, one) for one in inner)
    kinds = (int, float) if kind is float else kind
    return isinstance(value, kinds) and not isinstance(value, bool)


def _exact(value: Any) -> Any:
    """Numbers keep every bit, and may be infinite."""
    if isinstance(value, float):
        return {"float": float(value).hex()}
    if isinstance(value, dict):
        return {name: _exact(item) for name, item in value.items()}
    return [_exact(item) for item in value] if isinstance(value, list | tuple) else value


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return float.fromhex(value["float"]) if set(value) == {"float"} else {k: _plain(v) for k, v in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _used(entry: dict[str, Any]) -> UsedColumn:
    plain = _plain(entry)
    return UsedColumn(**plain | {"sentinels": tuple(plain["sentinels"]), "levels": tuple(plain["levels"])})


def _scale(entry: dict[str, Any]) -> NumberScale | Indicators:
    plain = _plain(entry)
    made: NumberScale | Indicators = _scales[plain.pop("kind")](**plain)
    return made


def _put(array: np.ndarray, arrays: list[np.ndarray]) -> int:
    arrays.append(np.asarray(array))
    return len(arrays) - 1


def _column(values: pl.Series, column: UsedColumn, arrays: list[np.ndarray]) -> int:
    """Numbers with nan, or places among the levels with -1, for cells without a value."""
    if column.form == "numeric":
        return _put(values.cast(pl.Float64).to_numpy(), arrays)
    places = {level: place for place, level in enumerate(column.levels)}
    return _put(np.array([places.get(value, -1) for value in values.to_list()], np.int32), arrays)


def _series(column: UsedColumn, array: np.ndarray) -> pl.Series:
    if column.form == "numeric":
        return pl.Series(column.name, array, dtype=pl.Float64).fill_nan(None)
    cells = [None if place < 0 else column.levels[place] for place in array.tolist()]
    return pl.Series(column.name, cells, dtype=pl.String)
