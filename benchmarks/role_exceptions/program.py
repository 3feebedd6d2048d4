"""Plants errors in access of several shapes, mines it, and holds probabilities of exceptions against the truth.

Every exception that is listed counts, in both directions, in bins of its probability; *said* is the mean probability,
*wrong* the share that was planted, and *off* the difference in points.
"""

import argparse
from itertools import pairwise

import numpy as np

from benchmarks.role_exceptions.worlds import SHAPES, world
from unmix.roles import explain, mine

BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.95, 1.01)
MINED = {"cover": {}, "infer": {"problem": "infer"}, "description": {"problem": "infer", "max_roles_per_user": 15}}
FIRST_SEED = 7000  # tables that nothing in the library was chosen on


def main(options: argparse.Namespace) -> None:
    for way, asked in MINED.items():
        print(f"\n{way}: all shapes, wrong grants and missing ones")
        told = {shape: judged(shape, asked, 2 if options.quick else 12) for shape in SHAPES}
        print_bins("all", np.concatenate(list(told.values())))
        for shape, rows in told.items():
            print_bins(shape, rows)


def judged(shape: str, asked: dict[str, object], seeds: int, first: int = FIRST_SEED) -> np.ndarray:
    """Of every exception of all tables: its probability, whether it is wrong, whether it is missing, peers, alike."""
    rows = []
    for seed in range(first, first + seeds):
        made = world(shape, seed)
        for entry in explain(mine(made.X, **asked), most=None).exceptions:
            missing = entry.kind in ("gained", "missing")
            alike = entry.peers - entry.having if missing else entry.having
            rows.append((entry.probability, made.wrong[entry.user, entry.permission], missing, entry.peers, alike))
    return np.array(rows, dtype=float).reshape(-1, 5)


def print_bins(name: str, rows: np.ndarray) -> None:
    p, wrong = rows[:, 0], rows[:, 1]
    cells = []
    for low, high in pairwise(BINS):
        some = (p >= low) & (p < high)
        if some.sum() >= 20:
            said, true = 100 * p[some].mean(), 100 * wrong[some].mean()
            cells.append(f"{said:5.1f} {true:5.1f} {said - true:+5.1f} ({some.sum()})")
        else:
            cells.append(f"few ({some.sum()})")
    overall = f"{100 * p.mean():.1f} {100 * wrong.mean():.1f}"
    print(f"{name:14}{len(p):6} exceptions, said and wrong {overall} | " + " | ".join(cells), flush=True)
