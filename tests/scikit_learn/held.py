"""Holds a module of scikit-learn's tests to `exceptions/NAME.toml`: what fails has a reason, and none is stale."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.scikit_learn.rewritten import MODULES
from tests.scikit_learn.run import Outcome, run

EXCEPTIONS = Path(__file__).parent / "exceptions"


def reasons(name: str) -> dict[str, str]:
    """Why a test, or an item of it, is not passed."""
    with open(EXCEPTIONS / f"{name}.toml", "rb") as file:
        return dict(tomllib.load(file))


def hold(name: str, folder: Path) -> list[Outcome]:
    """Run the module and compare; returns how its items ended."""
    module = next(module for module in MODULES if module.endswith(f".test_{name}"))
    found, known = run(module, folder), reasons(name)
    failed = [item.name for item in found if item.ended == "failed"]
    without = [item for item in failed if item not in known and item.partition("[")[0] not in known]
    assert not without, f"failed without a reason: {without}"
    stale = [key for key in known if not any(key in (item, item.partition("[")[0]) for item in failed)]
    assert not stale, f"a reason, but nothing fails: {stale}"
    return found


def share_passed(found: list[Outcome]) -> float:
    """Of what was run."""
    ran = [item for item in found if item.ended != "skipped"]
    return sum(item.ended == "passed" for item in ran) / len(ran)
