"""Settings as a Jupyter notebook (nbformat 4.5) that gives the numbers of a run."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from typing import Any

from unmix import __version__

AFTER = {
    "explore": [
        "print(findings)",
        'findings.save("unmix-results")  # report.html, labels.csv, findings.json, the model',
    ],
    "roles": ["print(found.certificate)\nexplained.exceptions[:10]"],
    "separate": ["sources[:5]"],
}


def notebook(kind: str, file: str, code: str, command: str) -> bytes:
    """A title, the code of the page, a look at the answer, and the same as a command."""
    words = f"# {file}\n\nWritten by unmix {__version__} studio. Put this file beside `{file}`."
    same = f"The same on the command line:\n\n```\n{command}\n```"
    cells = [("markdown", words), ("code", code), *(("code", line) for line in AFTER[kind]), ("markdown", same)]
    tree = {"cells": list(as_cells(cells)), "metadata": metadata(), "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(tree, indent=1, ensure_ascii=False) + "\n").encode()


def as_cells(cells: Iterable[tuple[str, str]]) -> Iterable[dict[str, Any]]:
    for i, (kind, text) in enumerate(cells):
        key = hashlib.sha256(f"{i} {text}".encode()).hexdigest()[:12]  # the same settings, the same bytes
        cell = {"cell_type": kind, "id": key, "metadata": {}, "source": text.splitlines(keepends=True)}
        yield cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})


def metadata() -> dict[str, Any]:
    version = ".".join(map(str, sys.version_info[:3]))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"kernelspec": kernel, "language_info": {"name": "python", "version": version}}
