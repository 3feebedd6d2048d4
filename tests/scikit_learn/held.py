"""Holds a module of scikit-learn's tests to `exceptions/NAME.toml`: what fails has a reason, and none is stale.

Reasons are of four kinds: the item reads names of scikit-learn that are private; it compares digits with the ends of
scikit-learn's own iterations; documented behaviour differs; or the processor's rounding decides.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.scikit_learn.rewritten import MODULES
from tests.scikit_learn.run import Outcome, run

EXCEPTIONS = Path(__file__).parent / "exceptions"
PRIVATE, DIGITS, DIFFERS, ROUNDING = "private", "digits", "differs", "rounding"
ASKED = 0.95  # of the items that test documented behaviour


def reasons(name: str) -> dict[str, dict[str, str]]:
    """Kind -> test, or item of it -> why it is not passed."""
    found = tomllib.loads((EXCEPTIONS / f"{name}.toml").read_text(encoding="utf-8"))
    assert set(found) <= {PRIVATE, DIGITS, DIFFERS, ROUNDING}
    return found


def hold(name: str, folder: Path) -> None:
    """Run the module and compare."""
    module = next(module for module in MODULES if module.endswith(f".test_{name}"))
    found = run(module, folder)
    failed = [item.name for item in found if item.ended == "failed"]
    without = [item for item in failed if not _kind(name, item)]
    assert not without, f"failed without a reason: {without}"
    known = {test for kind, whys in reasons(name).items() if kind != ROUNDING for test in whys}
    stale = [test for test in known if not any(test in _keys(item) for item in failed)]
    assert not stale, f"a reason, but nothing fails: {stale}"
    passed, ran = counted(name, found, without=(PRIVATE, DIGITS))
    assert passed >= ASKED * ran


def counted(name: str, found: list[Outcome], without: tuple[str, ...]) -> tuple[int, int]:
    """Passed, and run, but for failures of some kinds."""
    passed = sum(item.ended == "passed" for item in found)
    failed = [item for item in found if item.ended == "failed" and _kind(name, item.name) not in without]
    return passed, passed + len(failed)


def _kind(name: str, item: str) -> str:
    """Of the reason why an item fails; empty without one."""
    return next((kind for kind, whys in reasons(name).items() if any(key in whys for key in _keys(item))), "")


def _keys(item: str) -> tuple[str, str]:
    return item, item.partition("[")[0]
