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
from unmix.cli.roles.export import TARGETS

ROLES = (
    ["roles", "why", "given", "ann", "a"],
    ["roles", "what-if", "given", "--drop", "R1"],
    ["roles", "what-if", "given", "--merge", "R1", "R2"],
    ["roles", "what-if", "mined", "--compare", "given"],
    ["roles", "decide", "given", "--accept-all", "--decisions", "made.json"],
    ["roles", "compare", "given", "access.csv"],
    ["roles", "compare", "mined", "given", "--out", "changes"],
    ["roles", "mine", "access.csv", "--keep", "given", "--out", "kept"],
    *(["roles", "export", "given", "--to", kind, "--out", f"out-{kind}"] for kind in TARGETS),
)
REVIEWED = (
    ["roles", "decide", "mined", "--accept-all", "--decisions", "made.json"],
    ["roles", "mine", "access.csv", "--decisions", "made.json", "--out", "kept"],
    *(
        ["roles", "export", "mined", "--decisions", "made.json", "--to", kind, "--out", f"out-{kind}"]
        for kind in TARGETS
    ),
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
    yield from _decisions(folder, short)
    for name in ("encoding.unmix", "model.unmix", "findings.json"):
        yield from _explored(folder, name, short)


def _roles(folder: Path, short: bool) -> Iterator[Case]:
    """Parts of roles.json replaced: each whole, and leaves spread over all of it."""
    whole = json.loads((folder / "mined" / "roles.json").read_text(encoding="utf-8"))
    (folder / "given").mkdir()
    places: list[tuple[Any, ...]] = [(name,) for name in whole]
    found = leaves(whole)
    places += [found[i] for i in np.unique(np.linspace(0, len(found) - 1, 60).astype(int))]
    for number, (case, text) in enumerate(_texts(whole, places)[:: 16 if short else 1]):
        (folder / "given" / "roles.json").write_bytes(text)
        words = ROLES[number % len(ROLES)]
        yield f"{' '.join(words[1:5])} of roles.json with {case}", _ended(words, folder)
    shutil.rmtree(folder / "given")


def _texts(whole: Any, places: list[tuple[Any, ...]]) -> list[tuple[str, bytes]]:
    texts = [(f"text {text[:12]!r}", text) for text in TEXTS]
    for number, place in enumerate(places):
        for value in HOSTILE[number % 4 :: 4]:
            text = json.dumps(replaced(whole, place, value)).encode()
            texts.append((f"{'/'.join(map(str, place))} = {str(value)[:20]!r}", text))
    return texts


def _decisions(folder: Path, short: bool) -> Iterator[Case]:
    """Parts of a decision file replaced, for the commands that read it."""
    good = ["roles", "decide", "mined", "--accept-all", "--by", "ann", "--comment", "x", "--decisions", "good.json"]
    exception = json.loads((folder / "mined" / "roles.json").read_text(encoding="utf-8"))["exceptions"][:1]
    for entry in exception:
        good += ["--accept-exception", entry["user"], entry["permission"]]
    invoke(good, folder)
    whole = json.loads((folder / "good.json").read_text(encoding="utf-8"))
    places: list[tuple[Any, ...]] = [(name,) for name in whole] + leaves(whole)[:80]
    for number, (case, text) in enumerate(_texts(whole, places)[:: 16 if short else 1]):
        (folder / "made.json").write_bytes(text)
        words = REVIEWED[number % len(REVIEWED)]
        yield f"{' '.join(words[1:7])} with {case}", _ended(words, folder)


def _ended(words: list[str], folder: Path) -> str | None:
    try:
        return unclear(invoke(words, folder))
    finally:
        for place in [*folder.glob("out-*"), folder / "kept", folder / "changes"]:
            shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)


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
