"""Writes findings to a folder: labels.csv, findings.json, model, encoding and report, all of them or none.

The report stands one layer above exploration, and what places new rows one room: both are looked up by name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unmix.core.storage.folder import Results, is_foreign, replacing_folder
from unmix.exploration.findings.label_file import label_frame, write_label_file
from unmix.io.base.errors import TableError

if TYPE_CHECKING:
    from unmix.exploration.findings.records import Findings

MOST_POINTS = 1000  # of the map in a notebook
_report, _storage = "unmix.report", "unmix.exploration.assignment.storage"
RESULTS = Results(r"findings\.json", r"(labels|labels\.csv|findings\.json|model\.unmix|encoding\.unmix|report\.html)")


def html_view(findings: Findings) -> str:
    """The report in a frame of its own, so that its style and a notebook's do not meet."""
    page = import_module(_report).render(light(findings.to_dict()))
    return f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" style="width:100%;height:720px;border:0"></iframe>'


def light(tree: dict[str, Any]) -> dict[str, Any]:
    """Findings for a notebook, which is kept with all that it shows: fewer points, and no rows behind them."""
    points = tree["map"]
    step = -(-len(points["row"]) // MOST_POINTS) or 1
    thinned = {name: part[::step] if isinstance(part, list) else part for name, part in points.items()}
    others = [other | {"labels": other["labels"][::step]} for other in tree["alternatives"]]
    fewer = thinned | {"n_shown": len(thinned["row"])}
    return tree | {"map": fewer, "alternatives": others, "rows": tree["rows"] if step == 1 else None}


def save(findings: Findings, directory: Path, with_columns: bool = False) -> Path:
    """Write everything into a scratch folder, which then takes the place of the results of an earlier run."""
    check_directory(directory)
    with told_of(directory), replacing_folder(directory, RESULTS) as scratch:
        write_all(findings, scratch, with_columns)
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
    with told_of(directory):
        with suppress(FileNotFoundError, NotADirectoryError):
            os.stat(directory)  # a name may be too long, or a link lead to itself
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


def write_all(findings: Findings, scratch: Path, with_columns: bool = False) -> None:
    if findings.parts is not None:
        findings.parts.write(scratch / "labels", with_columns)
    else:
        write_labels(findings, scratch / "labels.csv", with_columns)
    (scratch / "findings.json").write_text(json_text(findings), encoding="utf-8", errors="backslashreplace")
    findings.model.save(scratch / "model.unmix")
    if findings.encoding is not None:  # how it is written down is known one room above
        import_module(_storage).write_encoding(findings.encoding, scratch / "encoding.unmix")
    import_module(_report).write(findings, scratch / "report.html")


def json_text(findings: Findings) -> str:
    return json.dumps(findings.to_dict(), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def write_labels(findings: Findings, path: Path, with_columns: bool = False) -> None:
    """Every row of the table, and its own columns on request."""
    names = [cluster.name for cluster in findings.clusters]
    frame = label_frame(findings.labels, findings.confidence, names, findings.ids, findings.paths)
    batches = findings.table.batches if with_columns and findings.table is not None else None
    with path.open("wb") as file:
        write_label_file(frame, file, batches)
