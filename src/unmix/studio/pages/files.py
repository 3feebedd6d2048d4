"""Files to be saved, each with what it holds, and the button that deletes their run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unmix.report.drawing.markup import Markup, element
from unmix.studio.store.workspace import Record


def files_section(run: Record, *content: Any) -> Markup:
    delete = element("button", "Delete this run", type="button", data_delete=f"/api/runs/{run['id']}")
    return element("section", element("h2", "Files"), content, element("p", delete, class_="actions"), id="files")


def file_list(files: Mapping[str, str], folder: str, query: str = "") -> Markup:
    """Names and what is in them; `folder` is the beginning of their addresses."""
    lines = [
        element(
            "div",
            element("dt", element("a", name, href=f"{folder}/{name}{query}", download=True)),
            element("dd", words),
        )
        for name, words in files.items()
    ]
    return element("dl", lines, class_="facts")
