"""`python -m tests.scikit_learn [NAME …]`: how many of scikit-learn's own tests our classes pass; NAME as in test_NAME.

With --list, also what failed and why.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.scikit_learn.rewritten import MODULES
from tests.scikit_learn.run import run


def main(words: list[str]) -> None:
    listed = "--list" in words
    names = [word for word in words if not word.startswith("-")]
    chosen = [module for module in MODULES if not names or any(module.endswith(f"test_{name}") for name in names)]
    for module in chosen:
        with tempfile.TemporaryDirectory() as folder:
            found = run(module, Path(folder))
        counts = {ended: sum(item.ended == ended for item in found) for ended in ("passed", "failed", "skipped")}
        print(f"{module:48} {counts['passed']:4} passed {counts['failed']:4} failed {counts['skipped']:4} skipped")
        for item in found if listed else []:
            if item.ended == "failed":
                print(f"    {item.name}: {item.why}")


main(sys.argv[1:])
