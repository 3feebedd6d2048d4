"""Explores tables without groups, and tables with planted ones, and prints how often groups are said to be there.

`--repeat` tables of every kind; `--only` chooses kinds. Nulls of independent rows should get groups in 3 % at most, of
dependent rows in 5 %; planted groups should be found. `before` is what references as smooth as Gaussians gave.
"""

import argparse
import time
import warnings

import numpy as np

from benchmarks.nulls.tables import KINDS, Kind


def main(options: argparse.Namespace) -> None:
    repeats = 2 if options.quick else options.repeat
    print("| table | rows | holds | said to hold groups | right number | seconds |")
    print("|---|---|---|---|---|---|")
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
    return f"| {name} | {rows} | {holds} | {said} of {repeats} | {right} of {repeats} | {seconds:.1f} |"


def chosen(kind: Kind, seed: int) -> int:
    """How many groups exploring the table finds."""
    import unmix

    table = kind.make(np.random.default_rng([seed, 2026]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return int(unmix.explore(table, seed=seed).selection.chosen_k)
