"""`python -m tests.faults [PART …] [--short] [--say]`: every fault of the parts, or of all, and what did not hold.

`--say` prints every case that was tried, not only those that failed.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from tests.faults.part import run
from tests.faults.parts import PARTS


def spent() -> float:
    """CPU seconds of this process and of those it has waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def tell(words: str) -> None:
    print(f"  {ascii(words)[1:-1]}", flush=True)


def nothing(words: str) -> None:
    """Who asked for no list of cases gets none."""


def main(words: list[str]) -> int:
    short, say = "--short" in words, "--say" in words
    names = [word for word in words if word not in ("--short", "--say")] or list(PARTS)
    if unknown := [name for name in names if name not in PARTS]:
        print(f"there is no part {', '.join(unknown)}; the parts are {', '.join(PARTS)}")
        return 2
    failed = 0
    for name in names:
        start = spent()
        with tempfile.TemporaryDirectory(prefix="faults-") as folder:
            tally = run(PARTS[name], Path(folder) / name, short, tell, tell if say else nothing)
        held = tally.tried - len(tally.failures)
        print(f"{name:12} tried {tally.tried:6}  held {held:6}  {spent() - start:6.0f} CPU s", flush=True)
        failed += len(tally.failures)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
