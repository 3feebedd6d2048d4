"""Plants errors in access of several shapes, mines it, and holds probabilities of exceptions against the truth.

Every exception that is listed counts, in both directions, in bins of its probability; *said* is the mean probability,
*wrong* the share that was planted, and *off* the difference in points. The model was made on the first four shapes.
"""

import argparse
from itertools import pairwise, product

import numpy as np

from benchmarks.role_exceptions.worlds import MIXTURES, SHAPES, Mixture, world
from unmix.roles import explain, mine

BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.95, 1.01)
MINED = {
    "description": {"problem": "infer", "max_roles_per_user": 15},
    "cover": {"time_limit": 5.0},
    "infer": {"problem": "infer"},
}
FIRST_SEED = 9000  # tables that nothing in the library was chosen on


def main(options: argparse.Namespace) -> None:
    shapes = [shape for shape in SHAPES if options.only in shape]
    for way, asked in MINED.items():
        print(f"\n{way}: wrong grants and missing ones", flush=True)
        seeds = range(FIRST_SEED, FIRST_SEED + (4 if way == "description" and not options.quick else 1))
        told = {
            (shape, k): np.concatenate([judged(shape, mixture, asked, seed) for seed in seeds])
            for shape, (k, mixture) in product(shapes, enumerate(MIXTURES))
        }
        print_bins("all", np.concatenate(list(told.values())))
        for shape in shapes:
            print_bins(shape, np.concatenate([rows for (one, _), rows in told.items() if one == shape]))
        for k, mixture in enumerate(MIXTURES):
            name = f"{mixture.errors} % {'/'.join(map(str, mixture.alike))} {mixture.habits}"
            print_bins(name, np.concatenate([rows for (_, one), rows in told.items() if one == k]))


def judged(shape: str, mixture: Mixture, asked: dict[str, object], seed: int) -> np.ndarray:
    """Of every exception: its probability, and whether it is wrong."""
    made = world(shape, seed, mixture)
    told = explain(mine(made.X, **asked), most=None).exceptions
    rows = [(entry.probability, made.wrong[entry.user, entry.permission]) for entry in told]
    return np.array(rows, dtype=float).reshape(-1, 2)


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
    print(f"{name:18}{len(p):6} exceptions | " + " | ".join(cells), flush=True)
