"""The gallery: every script of docs/gallery is run, drawn, and given its page and its place among the thumbnails.

A script opens with its title, then what one sees, then the page to read on: "More: methods/graphs.md". It prints what
it found and leaves one figure. Beside `name.py` stand `name.png` and `name.md`, made from it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import runpy
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from docs.making import picture

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "gallery"
KEPT = FOLDER / "shown.json"
FAMILIES = {
    "cluster": "Groups",
    "validation": "Is it real?",
    "decomposition": "Few numbers for many",
    "separation": "Sources behind channels",
    "density": "How probable",
    "embedding": "Maps",
    "images": "Images and videos",
    "roles": "Roles",
    "information": "Information",
    "sampling": "Sampling",
    "inference": "Inference",
}


class Example(NamedTuple):
    """A script with what its first lines say."""

    path: Path
    title: str
    text: str
    more: str

    @property
    def key(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}"


class Shown(NamedTuple):
    """What a script printed and drew."""

    printed: str
    figure: Figure

    @property
    def said(self) -> dict[str, object]:
        return {"printed": self.printed.splitlines(), "words": picture.words(self.figure)}


def read(path: Path) -> Example:
    opening = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    title, _, rest = opening.partition("\n")
    text, _, more = rest.strip().rpartition("More: ")
    return Example(path, title.rstrip("."), text.strip(), more.strip())


def examples() -> list[Example]:
    return [read(path) for family in FAMILIES for path in sorted((FOLDER / family).glob("*.py"))]


def run(example: Example) -> Shown:
    """Run the script from the folder of the project, as a reader would."""
    picture.begin()
    printed, here = io.StringIO(), Path.cwd()
    os.chdir(ROOT)
    try:
        with contextlib.redirect_stdout(printed), patch.object(plt, "show"):  # no window
            runpy.run_path(str(example.path), run_name="__main__")
    finally:
        os.chdir(here)
    return Shown(printed.getvalue(), plt.gcf())


def page(example: Example, printed: str) -> str:
    """The page of one example."""
    source = example.path.relative_to(ROOT).as_posix()
    return (
        f"# {example.title}\n\n{example.text}\n\n![{example.title}]({example.path.stem}.png)\n\n"
        f'```{{.python .not-run}}\n--8<-- "{source}"\n```\n\n'
        f"It prints\n\n```text\n{printed.rstrip()}\n```\n\n"
        f"Run it: `python {source}`. Read on: [{example.more}](../../{example.more}). [All examples](../index.md)\n"
    )


def overview(found: list[Example]) -> str:
    """The page of thumbnails."""
    lines = [
        "---\nhide: [toc]\n---\n",
        "# Gallery\n",
        f"{len(found)} small examples, each a script of at most forty lines. Choose a picture: its page has the code,",
        "what it prints and where to read on. `python -m docs.making gallery` draws them all; tests compare.\n",
    ]
    for family, title in FAMILIES.items():
        lines += [f"## {title}\n", '<div class="gallery" markdown>\n']
        for one in found:
            if one.path.parent.name == family:
                lines.append(f"[![{one.title}]({one.key}.png){{ loading=lazy }} {one.title}]({one.key}.md)\n")
        lines.append("</div>\n")
    return "\n".join(lines)


def kept() -> dict[str, dict[str, object]]:
    return json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}


def make(names: list[str]) -> None:
    """Draw the named examples, or all, and write their pages."""
    found, said = examples(), kept()
    for example in found:
        if names and example.path.stem not in names:
            continue
        shown = run(example)
        picture.save(shown.figure, example.path.with_suffix(".png"))
        said[example.key] = shown.said
        example.path.with_suffix(".md").write_text(page(example, shown.printed), encoding="utf-8")
        print(example.key, shown.printed.strip(), sep="\n  ")
    said = {example.key: said[example.key] for example in found if example.key in said}
    KEPT.write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (FOLDER / "index.md").write_text(overview(found), encoding="utf-8")
