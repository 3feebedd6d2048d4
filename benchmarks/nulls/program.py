"""Explores tables without groups, and tables with planted ones, and prints how often groups are said to be there.

`--repeat` tables of every kind; `--only` chooses kinds. Nulls of independent rows should get groups in 3 % at most, of
dependent rows in 5 %; planted groups should be found. `before` is the share said to hold groups by references that
are as smooth as Gaussians, of eight tables: rounding was undone by the smallest gap of a column, rows were independent.
"""

import argparse
import time
import warnings

import numpy as np

from benchmarks.nulls.tables import KINDS, Kind

# Of eight tables each, seeds 0 to 7.
BEFORE = {
    "Gaussian, common factor": 0, "heavy tails": 1, "uniform": 0, "Likert": 0, "Likert, 1 % missing": 8,
    "Likert, filled by means": 8, "tens, 3 % odd": 4, "rounded lognormal": 1, "rounded lognormal, common factor": 5,
    "counts": 7, "counts, common factor": 7, "10 % missing": 0, "12 columns, 10 % missing": 0, "repeated rows": 8,
    "random walks": 8, "random walks out of order, dated": 8, "AR(1), 0.5": 0, "AR(1), 0.9": 1, "AR(1), 0.98": 8,
    "seasonal": 5, "country × year": 8, "year × country": 8, "groups": 8, "groups, sorted": 8,
    "groups, Likert, 1 % missing": 8, "groups, tens, 3 % odd": 8, "groups, counts": 8, "groups, 10 % missing": 8,
    "groups, repeated rows": 8, "groups, AR(1) 0.5 within": 8, "groups that last, AR(1) 0.5 within": 8,
    "groups of countries × year": 8,
}  # fmt: skip


def main(options: argparse.Namespace) -> None:
    repeats = 2 if options.quick else options.repeat
    print("| table | rows | holds | before | said to hold groups | right number | seconds |")
    print("|---|---|---|---|---|---|---|")
    for name, kind in KINDS.items():
        if options.only.lower() in name.lower():
            print(line(name, kind, repeats), flush=True)


def line(name: str, kind: Kind, repeats: int) -> str:
    start = time.perf_counter()
    found = np.array([chosen(kind, seed) for seed in range(repeats)])
    seconds = (time.perf_counter() - start) / repeats
    rows = "dependent" if kind.dependent else "independent"
    holds = "no groups" if kind.groups == 1 else f"{kind.groups} groups"
    said, right = (found > 1).sum(), (found == kind.groups).sum()
    before = f"{BEFORE[name]} of 8" if name in BEFORE else "-"
    return f"| {name} | {rows} | {holds} | {before} | {said} of {repeats} | {right} of {repeats} | {seconds:.1f} |"


def chosen(kind: Kind, seed: int) -> int:
    """How many groups exploring the table finds."""
    import unmix

    table = kind.make(np.random.default_rng([seed, 2026]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return int(unmix.explore(table, seed=seed).selection.chosen_k)
