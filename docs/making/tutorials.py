"""The tutorials: pages whose code is run from top to bottom, as a notebook is, answers and pictures included.

A block with prompts shows what the code answers, an image under `pictures/` the figure that the code before it drew.
`make` runs the pages and puts today's answers and pictures in; `run` says what would change.
"""

from __future__ import annotations

import doctest
import os
import re
import sys
import tempfile
from pathlib import Path
from types import ModuleType

import matplotlib.pyplot as plt

from docs.making import picture

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "learn"
SCRIPTS = ROOT / "examples" / "tutorials"
ELEMENT = re.compile(
    r"^```pycon\n(?P<code>.*?)^```$|^!\[[^\]]*\]\((?P<image>pictures/[\w-]+\.png)\)", re.MULTILINE | re.DOTALL
)
CELL = re.compile(r"^## (?P<headline>[^\n]+)$|^```pycon\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Recorder(doctest.DocTestRunner):
    """Runs examples and remembers those whose answer is another than the page says."""

    def __init__(self) -> None:
        super().__init__(optionflags=OPTIONS, verbose=False)
        self.changed: list[tuple[doctest.Example, str]] = []

    def report_failure(self, out, test, example, got):
        self.changed.append((example, got))

    def report_unexpected_exception(self, out, test, example, exc_info):
        raise exc_info[1]


def pages() -> list[Path]:
    return [page for page in sorted(FOLDER.glob("*.md")) if "```pycon" in page.read_text(encoding="utf-8")]


def answered(code: str, changed: list[tuple[doctest.Example, str]]) -> str:
    """The block with today's answers."""
    lines = code.splitlines(keepends=True)
    for example, got in reversed(changed):
        first = example.lineno + example.source.count("\n")
        shown = got.replace("\n\n", "\n<BLANKLINE>\n")
        lines[first : first + example.want.count("\n")] = shown.splitlines(keepends=True)
    return "".join(lines)


def run(page: Path) -> tuple[str, list[str]]:
    """The page as it should be, and in words what is stale on it. Figures are compared, and kept for `make`."""
    text, stale = page.read_text(encoding="utf-8"), []
    prompt = ModuleType("__main__")
    here, main = Path.cwd(), sys.modules["__main__"]
    picture.begin()
    sys.modules["__main__"] = prompt
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "examples").symlink_to(ROOT / "examples")
        os.chdir(folder)
        try:
            new = ELEMENT.sub(lambda found: element(found, page, vars(prompt), stale), text)
        finally:
            os.chdir(here)
            sys.modules["__main__"] = main
    return new, stale


def element(found: re.Match[str], page: Path, names: dict, stale: list[str]) -> str:
    """Run a block, or look at a picture."""
    line = found.string[: found.start()].count("\n") + 1
    if found["image"]:
        path, figure = page.parent / found["image"], plt.gcf()
        off = picture.difference(figure, path) if path.exists() else 1.0
        if off > picture.MOST_DIFFERENT:
            stale.append(f"{page.name}:{line}: {found['image']} differs in {off:.0%} of its area from what is drawn")
        if os.environ.get("UNMIX_DRAW"):
            picture.save(figure, path)
        plt.close("all")
        return found[0]
    test = doctest.DocTestParser().get_doctest(found["code"], names, page.name, page.name, line)
    test.globs = names
    recorder = Recorder()
    recorder.run(test, out=lambda text: None, clear_globs=False)
    for example, got in recorder.changed:
        where, asked = f"{page.name}:{line + example.lineno + 1}", example.source.strip()
        stale.append(f"{where}: {asked} gave {got.strip()}, not {example.want.strip()}")
    return f"```pycon\n{answered(found['code'], recorder.changed)}```"


def script(text: str) -> str:
    """The code of a page in cells, each under the headline it belongs to; what it answers at a prompt is printed."""
    title = text.partition("\n")[0].removeprefix("# ")
    cells = [f'"""{title}: the code of the tutorial, in cells. Run it from the folder of the project."""\n']
    headline = title
    for found in CELL.finditer(text):
        headline = found["headline"] or headline
        if found["code"]:
            lines = [source(example) for example in doctest.DocTestParser().get_examples(found["code"])]
            cells.append(f"# %% {headline}\n{''.join(lines)}")
    return "\n".join([*cells, "plt.show()\n"])


def source(example: doctest.Example) -> str:
    """A statement as it is, an expression that answers something inside `print`."""
    shows = example.want and not re.match(r"(print|for|if|with)\b", example.source)
    return f"print({example.source.strip()})\n" if shows else example.source


def make(names: list[str]) -> None:
    """Put today's answers and pictures into the named pages, or all, and write their scripts."""
    os.environ["UNMIX_DRAW"] = "1"
    for page in pages():
        if names and page.stem not in names:
            continue
        new, stale = run(page)
        page.write_text(new, encoding="utf-8")
        SCRIPTS.mkdir(exist_ok=True)
        (SCRIPTS / f"{page.stem}.py").write_text(script(new), encoding="utf-8")
        print(page.stem, *stale, sep="\n  ")
