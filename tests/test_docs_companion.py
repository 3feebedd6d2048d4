"""The course companion has every section of the notes, each with a formula, a method's page and lines that run."""

import re
from pathlib import Path

import pytest

folder = Path(__file__).parents[1] / "docs" / "companion"
# The numbers of the sections in the notes' own tables of contents (M numbers its chapters).
SECTIONS = {
    "extended_summary": """
        1 2 2.1 2.2 2.2.1 2.3 2.4 2.5 2.6 3 3.1 3.2 3.3 3.4 3.5 4 4.1 4.1.1 5 5.1 5.2 5.3 5.3.1 5.3.2 5.3.3 6 7
        7.1 7.2 7.2.1 7.2.2 7.2.3 7.2.4 7.2.5 7.2.6 7.2.7 7.2.8 8 8.0.9 8.1 9 9.1 9.1.1 9.1.2 9.2 9.2.1 9.2.2
        9.2.3 9.2.4 9.2.5 9.2.6 9.2.7 A A.1 A.2 B C C.1 C.2 C.3 D
    """,
    "cheat_sheet": "1 1.1 1.1.1 1.2 1.2.1 1.2.2 2 2.1 2.1.1 2.2 2.2.1 3 3.1 3.1.1 4 5 5.1 5.2 5.3 6 6.1",
    "lecture_2011": """
        1 2 2.1 2.1.1 2.1.2 2.1.3 2.1.4 2.2 2.2.1 2.2.2 2.2.3 2.2.4 2.2.5 2.2.6 2.2.7 2.2.8 2.2.9 3 3.1 3.2 3.3
        4 4.1 4.1.1 4.1.2 4.1.3 4.1.4 4.1.5 4.2 4.3 4.4 5 5.1 5.1.1 5.2 5.3 6 6.1 6.2 6.3 6.3.1 6.3.2 6.4 6.5
        6.6 6.7 6.8 7 7.1 7.2 7.3 7.4 7.4.1 7.4.2 7.4.3 7.4.4 7.4.5 7.5 7.5.1 7.5.2 7.5.3
    """,
    "statistical_learning": """
        1 1.1 2 3 3.1 3.2 3.3 3.4 3.4.1 4 5 5.1 5.2 6 6.1 7 7.1 7.1.1 7.1.2 8 8.1 8.2 8.2.1 8.2.2 8.3 9 9.1 9.2
    """,
    "machine_intelligence": """
        2 2.1 2.2 2.2.1 2.2.2 2.2.3 2.3 2.3.1 2.3.2 2.3.3 2.3.4 3 3.1 3.2 3.3 4 4.1 4.1.1 4.1.2 4.1.3 4.2 4.2.1
        4.2.2 4.2.3 4.2.4 4.2.5 4.3 4.3.1 4.3.2 4.4 4.4.1 4.4.2 4.4.3 5 5.1 5.1.1 5.1.2 5.2 5.2.1 5.2.2
    """,
}
heading = re.compile(r"^#{2,} (.+)$", re.MULTILINE)
number = re.compile(r"(?<![\w.])([A-D](?:\.\d+)*|\d+(?:\.\d+)*)(?= )")


def parts(page):
    """Heading and text of every section, in the order of the page."""
    pieces = heading.split((folder / f"{page}.md").read_text(encoding="utf-8"))
    return list(zip(pieces[1::2], pieces[2::2]))


def place(section):
    return [(not step.isdigit(), step.zfill(3)) for step in section.split(".")]


@pytest.mark.parametrize("page", SECTIONS)
def test_every_section_is_there_and_in_order(page):
    named = [section for title, _ in parts(page) for section in number.findall(title)]
    assert set(named) == set(SECTIONS[page].split())
    firsts = [number.findall(title)[0] for title, _ in parts(page)]
    assert firsts == sorted(firsts, key=place)


@pytest.mark.parametrize("page", SECTIONS)
def test_a_section_has_a_formula_a_page_and_code(page):
    bare = [
        title
        for title, text in parts(page)
        if text.strip()
        and not (re.search(r"^    \S|^\*\*Exercise", text, re.MULTILINE) and "](../" in text and "\n```pycon\n" in text)
    ]
    assert bare == []
