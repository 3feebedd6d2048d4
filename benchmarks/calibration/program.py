"""Prints how often what exploring says with probability p is true, by kinds of made tables, and fits the rule anew.

`--repeat` tables of every kind; `--only` chooses kinds. "fitted on" are those the rule was fitted on, of other seeds;
of "other kinds" and "people's tables" nothing was. The numbers printed first belong in
`unmix/validation/selection/probability.py`. Sure is what is called clear, careless what is at least fairly clear.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from benchmarks.calibration.fit import Known, fit_rule
from benchmarks.calibration.look import Seen, look_at_kinds
from benchmarks.calibration.tables import CHECKED, FITTED
from benchmarks.calibration.wild import WILD

EDGES = (-0.01, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)
OF_CLUSTERS = (-0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 1.0)
KINDS = {"kinds fitted on": (FITTED, 78), "other kinds": (CHECKED, 79), "people's tables": (WILD, 77)}


def main(options: argparse.Namespace) -> None:
    warnings.simplefilter("ignore")
    repeats = 1 if options.quick else options.repeat
    for title, (kinds, stream) in KINDS.items():
        chosen = {name: make for name, make in kinds.items() if options.only in name}
        seen = list(look_at_kinds(chosen, range(9000, 9000 + repeats), stream))
        if seen and title == "kinds fitted on":
            print_rules(seen)
        if seen:
            print_reliability(title, seen)


def print_rules(seen: Sequence[Seen]) -> None:
    by_votes: list[Known] = [(one.evidence, one.groups) for one in seen if one.evidence.answer.votes]
    by_gap: list[Known] = [(one.evidence, one.groups) for one in seen if not one.evidence.answer.votes]
    if by_votes:
        print("RESAMPLED =", fit_rule(by_votes))
        print("VOTED =", fit_rule([(evidence._replace(parts=()), k) for evidence, k in by_votes], fixed=(4,)))
    if by_gap:
        print("BY_GAP =", fit_rule(by_gap, fixed=(5,)))


def print_reliability(title: str, seen: Sequence[Seen]) -> None:
    print(f"\n{title}: {len(seen)} tables of {len({one.kind for one in seen})} kinds")
    print_bins(
        "that there are clusters", [(one.answer.probability or 0.0, one.groups > 1) for one in seen], OF_CLUSTERS
    )
    named = [(one.said, one.answer.chosen_k == one.groups) for one in seen if one.answer.chosen_k > 1]
    print_bins("the number named, where clusters are", named, EDGES)
    print_errors(seen)


def print_bins(title: str, pairs: Sequence[tuple[float, bool]], edges: Sequence[float]) -> None:
    if not pairs:
        return
    said, true = np.array(pairs, dtype=float).T
    print(f"\n{title}\n| said | true | tables |\n|---|---|---|")
    for low, high in pairwise(edges):
        here = (said > low) & (said <= high)
        if here.any():
            print(f"| {said[here].mean():.2f} | {true[here].mean():.2f} | {here.sum()} |")


def print_errors(seen: Sequence[Seen]) -> None:
    nulls = [one for one in seen if one.groups == 1]
    dependent = [one for one in nulls if one.kind.startswith("dependent")]
    wrong = [one for one in seen if one.answer.chosen_k not in (1, one.groups)]
    right = sum(one.answer.chosen_k == one.groups for one in seen)
    print(
        f"\nright {right} of {len(seen)}; {_alarms('nulls', [one for one in nulls if one not in dependent])}", end="; "
    )
    print(_alarms("dependent nulls", dependent), end="; ")
    sure, careless = (sum(one.grade in words for one in wrong) for words in (("clear",), ("clear", "fairly clear")))
    print(f"wrong and sure {sure}, wrong and careless {careless}", flush=True)


def _alarms(what: str, seen: Sequence[Seen]) -> str:
    return f"{what} said to hold groups {sum(one.answer.chosen_k > 1 for one in seen)} of {len(seen)}"
