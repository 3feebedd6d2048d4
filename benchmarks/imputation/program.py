"""Holes of 36 real mixed tables filled by Factorization and its peers: errors by kind of column, and who is lowest.

For every table 10, 30 and 50 % of the known cells are removed at random.  Numbers: root mean square error in standard
deviations of the column; categories and truth values: share of wrong levels; ordered levels: that, and the distance in
levels.  `--repeat` is the number of random draws of holes.  `python -m benchmarks.imputation.stored` keeps a run, which
the page on factorization counts.
"""

import argparse
import warnings
from importlib.util import find_spec

import numpy as np

from benchmarks.imputation.further import FURTHER
from benchmarks.imputation.holes import Removed, errors, remove
from benchmarks.imputation.imputers import IMPUTERS
from benchmarks.imputation.intervals import covered
from benchmarks.imputation.tables import ROWS, TABLES, load
from benchmarks.imputation.unseen import UNSEEN
from unmix.io.mixed import Encoding, encode_columns

SHARES = (0.1, 0.3, 0.5)
KINDS = ("number", "category", "boolean", "ordered", "distance")


def main(options: argparse.Namespace) -> None:
    able = [name for name, (module, _) in IMPUTERS.items() if find_spec(module)]
    for name in IMPUTERS.keys() - set(able):
        print(f"{name}: skipped, {IMPUTERS[name][0]} is not installed")
    lowest = dict.fromkeys(able, 0)
    compared = 0
    for table in (name for name in TABLES | UNSEEN | FURTHER if options.only in name):
        try:
            frame = load(table, ROWS // 10 if options.quick else ROWS)
        except (ModuleNotFoundError, FileNotFoundError) as reason:
            print(f"{table}: skipped, {reason}")
            continue
        encoding = encode_columns(frame)
        full = encoding.encode(frame)
        for share in SHARES:
            draws = [remove(full, share, seed) for seed in range(1 if options.quick else options.repeat)]
            found = {name: _mean_errors(name, encoding, full, draws) for name in able}
            compared += _print_errors(f"{table}, {len(full)} × {full.shape[1]}, {share:.0%} removed", found, lowest)
            _print_coverage(encoding, full, draws[0])
    print("\nlowest of all: " + ", ".join(f"{name} {count} of {compared}" for name, count in lowest.items()))


def _mean_errors(name: str, encoding: Encoding, full: np.ndarray, draws: list[Removed]) -> dict[str, float] | str:
    """Over the draws of holes, or why there are none."""
    found = []
    for draw in draws:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of peers that did not converge
                filled = IMPUTERS[name][1](draw.array, encoding)
        except Exception as error:  # a peer that fails on a table is said to, and the others go on
            return f"failed, {type(error).__name__}: {str(error)[:80]}"
        found.append(errors(encoding, full, filled, draw.cells))
    return {kind: float(np.mean([each[kind] for each in found])) for kind in found[0]}


def _print_errors(title: str, found: dict[str, dict[str, float] | str], lowest: dict[str, int]) -> int:
    """The table of one case; counts who is lowest by kind of column, and returns the number of kinds."""
    done = {name: each for name, each in found.items() if not isinstance(each, str)}
    kinds = [kind for kind in KINDS if done and kind in next(iter(done.values()))]
    least = {kind: min(each[kind] for each in done.values()) for kind in kinds}
    print(f"\n{title}\n{'':16}" + "".join(f"{kind:>11}" for kind in kinds))
    for name, each in found.items():
        if isinstance(each, str):
            print(f"{name:16}{each}")
            continue
        best = [each[kind] <= least[kind] for kind in kinds]
        lowest[name] += sum(best)
        print(f"{name:16}" + "".join(f"{each[kind]:10.3f}{'*' if won else ' '}" for kind, won in zip(kinds, best)))
    return len(kinds)


def _print_coverage(encoding: Encoding, full: np.ndarray, draw: Removed) -> None:
    print(f"intervals of 90 % hold {covered(encoding, full, draw):.1%} of the numbers that were removed")
