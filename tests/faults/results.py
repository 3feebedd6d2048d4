"""Folders of results from strangers to the commands that read them: an answer, or one sentence."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tests.faults.commands import invoke, prepare, unclear
from tests.faults.damage import HOSTILE, crafted, damaged, leaves, replaced
from tests.faults.part import Case

ROLES = (
    ["roles", "why", "given", "ann", "a"],
    ["roles", "what-if", "given", "--drop", "R1"],
    ["roles", "what-if", "given", "--merge", "R1", "R2"],
    ["roles", "what-if", "mined", "--compare", "given"],
)
EXPLORED = (
    ["assign", "given", "x.csv", "--out", "placed.csv"],
    ["compare", "given", "x.csv"],
    ["compare", "given", "first"],
    ["compare", "first", "given"],
)
TEXTS = (b"", b"null", b"[]", b"{}", b"\xff\xfe", b"[" * 100_000, b'{"roles": [], "roles": 1}', b"NaN")


def results(folder: Path, short: bool) -> Iterator[Case]:
    prepare(folder)
    yield from _roles(folder, short)
    for name in ("encoding.unmix", "model.unmix", "findings.json"):
        yield from _explored(folder, name, short)


def _roles(folder: Path, short: bool) -> Iterator[Case]:
    """Parts of roles.json replaced: each whole, and leaves spread over all of it."""
    whole = json.loads((folder / "mined" / "roles.json").read_text(encoding="utf-8"))
    (folder / "given").mkdir()
    places: list[tuple[Any, ...]] = [(name,) for name in whole]
    found = leaves(whole)
    places += [found[i] for i in np.unique(np.linspace(0, len(found) - 1, 60).astype(int))]
    texts = [(f"text {text[:12]!r}", text) for text in TEXTS]
    for number, place in enumerate(places):
        for value in HOSTILE[number % 4 :: 4]:
            text = json.dumps(replaced(whole, place, value)).encode()
            texts.append((f"{'/'.join(map(str, place))} = {str(value)[:20]!r}", text))
    for number, (case, text) in enumerate(texts[:: 16 if short else 1]):
        (folder / "given" / "roles.json").write_bytes(text)
        words = ROLES[number % len(ROLES)]
        yield f"{words[1]} of roles.json with {case}", unclear(invoke(words, folder))
    shutil.rmtree(folder / "given")


def _explored(folder: Path, name: str, short: bool) -> Iterator[Case]:
    """A file of explored results damaged in every region, and crafted with digests that agree."""
    shutil.copytree(folder / "first", folder / "given")
    data = (folder / "given" / name).read_bytes()
    if name.endswith(".unmix"):
        cases = [*damaged(data, 1 if short else 3), *crafted(data, 100)]
    else:
        cases = [(f"text {text[:12]!r}", text) for text in (*TEXTS, data[: len(data) // 2])]
    for number, (case, other) in enumerate(cases[:: 12 if short else 1]):
        (folder / "given" / name).write_bytes(other)
        words = EXPLORED[number % len(EXPLORED)]
        yield f"{words[0]} of {name}, {case}", unclear(invoke(words, folder))
    shutil.rmtree(folder / "given")
