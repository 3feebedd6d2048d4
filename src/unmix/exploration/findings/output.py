"""Writes findings to a folder: labels.csv, findings.json, the model and the report, all of them or none.

The report stands one layer above exploration, so it is looked up by name when somebody asks for HTML.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from unmix.core.folder import Results, is_foreign, replacing_folder
from unmix.io.errors import TableError

if TYPE_CHECKING:
    from unmix.exploration.findings.records import Findings

_report = "unmix.report"
RESULTS = Results(r"findings\.json", r"(labels\.csv|findings\.json|model\.unmix|report\.html)")


def html_view(findings: Findings) -> str:
    """The report in a frame of its own, so that its style and a notebook's do not meet."""
    page = import_module(_report).render(findings)
    return f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" style="width:100%;height:720px;border:0"></iframe>'


def save(findings: Findings, directory: Path) -> Path:
    """Write everything into a scratch folder, which then takes the place of the results of an earlier run."""
    check_directory(directory)
    with told_of(directory), replacing_folder(directory, RESULTS) as scratch:
        write_all(findings, scratch)
    return directory


@contextmanager
def told_of(directory: Path) -> Iterator[None]:
    """What the system refuses while results are written, as one sentence."""
    try:
        yield
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise TableError(f"Results cannot be written to {directory}: {why}.") from None


def check_directory(directory: Path, results: Results | None = None, force: bool = False) -> None:
    """Refuse a place that cannot be written to, or that holds files of others, before any work is done."""
    if directory.exists() and not directory.is_dir():
        raise TableError(f"{directory} is a file; give a directory for the results.")
    nearest = next(path for path in (directory, *directory.absolute().parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        raise TableError(f"Results cannot be written to {directory}: no permission to write in {nearest}.")
    if results is not None and not force and is_foreign(directory, results):
        raise TableError(
            f"{directory} holds files that this command did not write, and that would be overwritten or mixed with its "
            "own; give another folder with --out, or --force to write there all the same."
        )


def write_all(findings: Findings, scratch: Path) -> None:
    labels, answer, model, report = (
        scratch / name for name in ("labels.csv", "findings.json", "model.unmix", "report.html")
    )
    write_labels(findings.labels, findings.confidence, labels, findings.ids, findings.paths)
    answer.write_text(json_text(findings), encoding="utf-8")
    findings.model.save(model)
    import_module(_report).write(findings, report)


def json_text(findings: Findings) -> str:
    return json.dumps(findings.to_dict(), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def write_labels(
    labels: np.ndarray, confidence: np.ndarray, path: Path, ids: pl.Series | None = None,
    paths: np.ndarray | None = None,
) -> None:  # fmt: skip
    """One line a row of the table, in its order; cluster and confidence stay empty for a row that was left out.

    `paths` are the ways down the tree of groups, written where there is one.
    """
    frame = pl.DataFrame({"row": np.arange(1, len(labels) + 1), "cluster": labels, "confidence": confidence})
    if paths is not None:
        ways = pl.Series("level", [way or None for way in paths], dtype=pl.String)
        frame = frame.insert_column(2, ways)
    if ids is not None:
        name = ids.name if ids.name not in frame.columns else f"{ids.name} (id)"
        frame.insert_column(1, ids.rename(name))
    placed = pl.when(pl.col("cluster") >= 0)
    frame = frame.with_columns(placed.then(pl.col("cluster")), placed.then(pl.col("confidence")))
    frame.write_csv(path, float_precision=4)
