"""A run that is kept: errors of every imputer, once for every table and share of holes, and who is lowest how often.

`python -m benchmarks.imputation.stored` measures it anew, some three minutes; the page on factorization quotes what
`counts` and `within` say of it.
"""

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.imputation.further import FURTHER
from benchmarks.imputation.holes import errors, remove
from benchmarks.imputation.imputers import IMPUTERS
from benchmarks.imputation.intervals import COVERAGE, covered
from benchmarks.imputation.tables import TABLES, load
from benchmarks.imputation.unseen import UNSEEN
from unmix.io.mixed import encode_columns

PATH = Path(__file__).parents[1] / "stored" / "imputation.json"
ROWS, SHARES = 400, (0.1, 0.3, 0.5)
SEEDS = {"in sight": 11, "further": 7}  # of the holes; neither was drawn while settings were chosen
SETS = {"in sight": TABLES | UNSEEN, "further": FURTHER}
NEAR = 0.05  # of the share that intervals are to hold


def measure() -> dict[str, list[dict[str, Any]]]:
    found = {}
    for kind, tables in SETS.items():
        found[kind] = [case for name in tables for case in cases(name, SEEDS[kind])]
    return found


def cases(table: str, seed: int) -> list[dict[str, Any]]:
    """Of one table; none where it does not come with the packages that are installed."""
    try:
        frame = load(table, ROWS)
    except (ModuleNotFoundError, FileNotFoundError) as reason:
        print(f"{table}: skipped, {reason}")
        return []
    encoding = encode_columns(frame)
    full, found = encoding.encode(frame), []
    for share in SHARES:
        draw = remove(full, share, seed)
        said = {name: impute(draw.array, encoding) for name, (_, impute) in IMPUTERS.items()}
        wrong = {name: errors(encoding, full, filled, draw.cells) for name, filled in said.items()}
        rounded = {name: {kind: round(value, 4) for kind, value in each.items()} for name, each in wrong.items()}
        held = round(covered(encoding, full, draw), 3)
        found.append({"table": table, "share": share, "errors": rounded, "held": held})
    return found


def counts(cases: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    """How often each imputer is lowest, by kind of column and of all; ties count for each."""
    out: dict[str, dict[str, int]] = {name: {} for name in IMPUTERS}
    for case in cases:
        for kind in case["errors"]["factorization"]:
            least = min(each[kind] for each in case["errors"].values())
            for name, each in case["errors"].items():
                for place in (kind, "all"):
                    out[name][place] = out[name].get(place, 0) + (each[kind] <= least)
    return out


def compared(cases: list[dict[str, Any]]) -> int:
    """Of how many errors the counts are."""
    return sum(len(case["errors"]["factorization"]) for case in cases)


def within(cases: list[dict[str, Any]]) -> int:
    """In how many cases intervals hold nearly the share that they are to hold."""
    return int(np.sum([abs(case["held"] - COVERAGE) <= NEAR for case in cases]))


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of peers that did not converge
        PATH.write_text(json.dumps(measure()) + "\n", encoding="utf-8")
