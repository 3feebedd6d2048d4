"""Times on pages are those of the stored run: `python -m benchmarks pages` measures them anew."""

import json
import re
from pathlib import Path

from benchmarks.pages.figures import FIGURES
from benchmarks.pages.program import PAGE, PATH, with_table

root = Path(__file__).parents[1]
RUN = json.loads(PATH.read_text(encoding="utf-8"))
quoted = re.compile(r"([\d.,]*\d)<!-- (\w+) -->")


def stale(text, page):
    """Times on a page that the run does not have, or has otherwise."""
    figures = RUN["figures"]
    return [
        (name, number)
        for number, name in quoted.findall(text)
        if name not in figures or figures[name]["page"] != page or f"{figures[name]['cpu_seconds']:g}" != number
    ]


def test_the_run_has_a_date_a_machine_and_every_figure():
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", RUN["date"]) and RUN["machine"] and RUN["versions"]
    assert set(RUN["figures"]) == {figure.name for figure in FIGURES}


def test_pages_quote_the_run():
    pages = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in (root / "docs").rglob("*.md")
    }
    assert [found for page, text in pages.items() for found in stale(text, page)] == []
    named = {name for text in pages.values() for _, name in quoted.findall(text)}
    assert named == set(RUN["figures"])
    assert with_table(PAGE.read_text(encoding="utf-8"), RUN) == PAGE.read_text(encoding="utf-8")


def test_a_stale_time_is_seen():
    text = (root / "docs" / "first_use.md").read_text(encoding="utf-8")
    assert stale(text, "docs/first_use.md") == []
    assert stale(text.replace("<!-- explore_again -->", "5<!-- explore_again -->"), "docs/first_use.md") != []
