"""Writes findings to a folder: labels.csv, findings.json, the model and the report, each whole or not at all.

The report stands one layer above exploration, so it is looked up by name when somebody asks for HTML.
"""

from __future__ import annotations

import json
import os
import tempfile
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from unmix.io.errors import TableError

if TYPE_CHECKING:
    from unmix.exploration.findings.records import Findings

_report = "unmix.report"


def html_view(findings: Findings) -> str:
    """The report in a frame of its own, so that its style and a notebook's do not meet."""
    page = import_module(_report).render(findings)
    return f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" style="width:100%;height:720px;border:0"></iframe>'


def save(findings: Findings, directory: Path) -> Path:
    """Write everything into a scratch folder inside `directory`, then move each file to its place."""
    check_directory(directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=directory, prefix=".unmix-") as scratch:
            written = write_all(findings, Path(scratch))
            for path in written:
                os.replace(path, directory / path.name)
    except OSError as error:
        raise TableError(f"Results cannot be written to {directory}: {error.strerror or error}.") from None
    return directory


def check_directory(directory: Path) -> None:
    """Refuse a place that cannot be written to before any work is done."""
    if directory.exists() and not directory.is_dir():
        raise TableError(f"{directory} is a file; give a directory for the results.")
    nearest = next(path for path in (directory, *directory.absolute().parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        raise TableError(f"Results cannot be written to {directory}: no permission to write in {nearest}.")


def write_all(findings: Findings, scratch: Path) -> list[Path]:
    labels, answer, model, report = (
        scratch / name for name in ("labels.csv", "findings.json", "model.unmix", "report.html")
    )
    write_labels(findings.labels, findings.confidence, labels, findings.ids)
    answer.write_text(json_text(findings), encoding="utf-8")
    findings.model.save(model)
    import_module(_report).write(findings, report)
    return [labels, answer, model, report]


def json_text(findings: Findings) -> str:
    return json.dumps(findings.to_dict(), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def write_labels(labels: np.ndarray, confidence: np.ndarray, path: Path, ids: pl.Series | None = None) -> None:
    """One line a row of the table, in its order; cluster and confidence stay empty for a row that was left out."""
    frame = pl.DataFrame({"row": np.arange(1, len(labels) + 1), "cluster": labels, "confidence": confidence})
    if ids is not None:
        name = ids.name if ids.name not in frame.columns else f"{ids.name} (id)"
        frame.insert_column(1, ids.rename(name))
    placed = pl.when(pl.col("cluster") >= 0)
    frame = frame.with_columns(placed.then(pl.col("cluster")), placed.then(pl.col("confidence")))
    frame.write_csv(path, float_precision=4)
