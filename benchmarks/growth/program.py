"""Fits every estimator to tables ten and a hundred times larger in rows, columns or parts, and prints the growth.

CPU seconds of a warm fit on one thread. The power is that of the last decade, log10 of the ratio of times: 1 is linear.
A power of more than the method needs and half is marked; of a fit that is cut off at the limit the power is at least
what is told. `--quick` goes over one decade, `--only` chooses estimators.
"""

import argparse
from collections.abc import Sequence

import numpy as np

from benchmarks.growth.measure import measure
from benchmarks.growth.subjects import SUBJECTS, Subject

LIMIT = 30.0  # seconds a fit
ALLOWANCE = 0.5  # iterations to convergence differ between tables
FLOOR = 0.02  # seconds; below it a fit is overhead, and a power says nothing


def main(options: argparse.Namespace) -> None:
    print("| estimator | in | sizes | CPU seconds | power | needs | |")
    print("|---|---|---|---|---|---|---|")
    decades = 1 if options.quick else 2
    for name, subject in SUBJECTS.items():
        if options.only.lower() in name.lower():
            for side in subject.needs:
                print(line(name, subject, side, decades), flush=True)


def line(name: str, subject: Subject, side: str, decades: int) -> str:
    sizes = subject.sizes(side, decades)
    taken = measure(name, sizes, LIMIT)
    power, need = growth(taken), subject.needs[side]
    shown = " · ".join(f"{size[side]:,}" for size in sizes)
    seconds = " · ".join("-" if np.isnan(t) else f"> {LIMIT:.0f}" if np.isinf(t) else f"{t:.3g}" for t in taken)
    told = f"≥ {power:.1f}" if np.isinf(taken[-1]) else f"{power:.2f}"
    mark = "" if power <= need + ALLOWANCE else "more than it needs"
    return f"| {name} | {side} | {shown} | {seconds} | {told} | {need:g} | {mark} |"


def growth(taken: Sequence[float]) -> float:
    """The power of the last decade; of a time below the floor, as if it were the floor, beyond the limit the limit."""
    ended = [LIMIT if np.isinf(seconds) else max(seconds, FLOOR) for seconds in taken]
    before, after = ended[-2:] if len(ended) > 1 else (FLOOR, LIMIT)
    return float(np.log10(after / before))
