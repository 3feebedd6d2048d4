"""The stories: what was found in real data, with the script that found it.

Most of the data are not shipped. What a script prints is kept with date and version in figures.json, its figure as a
picture beside it; a page shows both. Where the data are at hand, tests run the scripts again.
"""

from __future__ import annotations

import contextlib
import datetime
import io
import json
import os
import re
import runpy
import sys
from pathlib import Path
from unittest.mock import patch

import matplotlib.pyplot as plt

import unmix
from docs.making import picture
from docs.making.gallery import ROOT, Shown

FOLDER = ROOT / "docs" / "stories"
KEPT = FOLDER / "figures.json"
OUTPUT = re.compile(r"^```text\n(.*?)^```", re.MULTILINE | re.DOTALL)
CLAIM = re.compile(r"\*\*([^*]+)\*\*")
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


class DataAreAbsent(Exception):
    """The script says in words which data it does not find."""


def scripts() -> list[Path]:
    return sorted(FOLDER.glob("*.py"))


def run(script: Path) -> Shown:
    """Run a story from the folder of the project."""
    picture.begin()
    printed, here, arguments = io.StringIO(), Path.cwd(), sys.argv
    os.chdir(ROOT)
    sys.argv = [str(script)]
    try:
        with contextlib.redirect_stdout(printed), patch.object(plt, "show"):  # no window
            runpy.run_path(str(script), run_name="__main__")
    except SystemExit as absent:
        raise DataAreAbsent(str(absent)) from None
    finally:
        os.chdir(here)
        sys.argv = arguments
    return Shown(printed.getvalue(), plt.gcf())


def kept() -> dict[str, dict]:
    return json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}


def stale(page: str, printed: list[str]) -> list[str]:
    """Lines that a page shows and the script did not print, and numbers in bold that are in none of its lines."""
    lines = [line for block in OUTPUT.findall(page) for line in block.splitlines()]
    numbers = set(NUMBER.findall(" ".join(printed).replace(",", "")))
    claimed = [number for claim in CLAIM.findall(OUTPUT.sub("", page)) for number in NUMBER.findall(claim)]
    return [line for line in lines if line not in printed] + [
        number for number in claimed if number.replace(",", "") not in numbers
    ]


def make(names: list[str]) -> None:
    """Run the named stories, or all whose data are here, and keep what they found."""
    found = kept()
    for script in scripts():
        if names and script.stem not in names:
            continue
        try:
            shown = run(script)
        except DataAreAbsent as reason:
            print(f"{script.stem}: left as it is, {reason}")
            continue
        picture.save(shown.figure, script.with_suffix(".png"))
        found[script.stem] = {"date": datetime.date.today().isoformat(), "unmix": unmix.__version__, **shown.said}
        print(script.stem, shown.printed.rstrip(), sep="\n")
        KEPT.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
