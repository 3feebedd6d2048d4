"""What a part of the harness is: cases one after the other, each with what was wrong, or None."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

Case = tuple[str, str | None]  # what was tried, and what was not as promised
Part = Callable[[Path, bool], Iterator[Case]]  # a folder to work in, and whether a few cases are enough


class Tally(NamedTuple):
    """How many cases of a part were tried, and those that failed."""

    tried: int
    failures: list[str]


Tell = Callable[[str], None]


def run(
    part: Part, folder: Path, short: bool, tell: Tell = lambda words: None, say: Tell = lambda words: None
) -> Tally:
    """Every case of a part, in a folder of its own; failures are told, and what held is said, as they are met."""
    folder.mkdir(parents=True, exist_ok=True)
    tried, failures = 0, []
    for case, problem in _until_it_breaks(part(folder, short)):
        tried += 1
        if problem is not None:
            failures.append(f"{case}: {problem}")
            tell(failures[-1])
        else:
            say(case)
    return Tally(tried, failures)


def _until_it_breaks(cases: Iterator[Case]) -> Iterator[Case]:
    """The cases, and what ended them early: the parts that follow are tried all the same."""
    try:
        yield from cases
    except Exception as error:
        yield "the part itself", f"{short_of(error)}, so that its other cases were not tried"


def is_sentence(text: str, most: int = 700) -> bool:
    """Words for a person: not empty, one line, no traceback and no address of an object."""
    return bool(text.strip()) and "\n" not in text.strip() and len(text) <= most and " object at 0x" not in text


def short_of(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error)[:160]!r}"
