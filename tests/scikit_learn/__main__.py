"""`python -m tests.scikit_learn [NAME …]`: how many of scikit-learn's own tests our classes pass; NAME as in test_NAME.

With --list, also what failed and why. At the end the shares of all that was run, with and without what reads private
names or compares digits with scikit-learn's own functions.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.scikit_learn.held import DIGITS, PRIVATE, counted
from tests.scikit_learn.rewritten import MODULES
from tests.scikit_learn.run import Outcome, run

SHARES = {
    "of all": (),
    "without private names": (PRIVATE,),
    "without private names and compared digits": (PRIVATE, DIGITS),
}


def main(words: list[str]) -> None:
    listed = "--list" in words
    names = [word for word in words if not word.startswith("-")]
    chosen = [module for module in MODULES if not names or any(module.endswith(f"test_{name}") for name in names)]
    found = {module: run_alone(module) for module in chosen}
    for module, items in found.items():
        say(module, items, listed)
    for words_of, kinds in SHARES.items():
        pairs = [counted(module.rpartition(".test_")[2], items, kinds) for module, items in found.items()]
        passed, ran = (sum(part) for part in zip(*pairs, strict=True))
        print(f"{passed} of {ran} ({passed / ran:.1%}) {words_of}")


def run_alone(module: str) -> list[Outcome]:
    with tempfile.TemporaryDirectory() as folder:
        return run(module, Path(folder))


def say(module: str, items: list[Outcome], listed: bool) -> None:
    counts = {ended: sum(item.ended == ended for item in items) for ended in ("passed", "failed", "skipped")}
    print(f"{module:48} {counts['passed']:4} passed {counts['failed']:4} failed {counts['skipped']:4} skipped")
    for item in items if listed else []:
        if item.ended == "failed":
            print(f"    {item.name}: {item.why}")


main(sys.argv[1:])
