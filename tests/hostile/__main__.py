"""`python -m tests.hostile [SUBJECT …]`: every hostile input to every estimator, and what is not taken well."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.hostile.table import CASES, SUBJECT_NAMES, outcome


def main(names: list[str]) -> None:
    bad = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names or SUBJECT_NAMES:
            for case in CASES:
                tried += 1
                if problem := outcome(name, case, Path(folder)):
                    bad += 1
                    print(f"{name:36} {case:28} {problem}", flush=True)
    print(f"{bad} bad of {tried}")


main(sys.argv[1:])
