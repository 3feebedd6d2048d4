"""Fits the numbers of the rule on made tables, and prints how often it is right on other tables and other kinds.

`--repeat` tables of every kind. The first table of numbers belongs in `unmix/validation/selection/probability.py`.
Sure is what is called clear. `before` are the answers of the criteria themselves, called clear by stability alone
unless less than 70 % of resampled tables gave the same number.
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
from unmix.validation.selection.probability import most_probable, probabilities
from unmix.validation.selection.sureness import grade_of

EDGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)


def main(options: argparse.Namespace) -> None:
    warnings.simplefilter("ignore")
    repeats = 1 if options.quick else options.repeat
    kinds = [{name: make for name, make in given.items() if options.only in name} for given in (FITTED, CHECKED)]
    fitted, checked = look_at_kinds(kinds[0], range(repeats), 20), look_at_kinds(kinds[1], range(repeats), 21)
    print_rules(fitted)
    for title, seen in (("kinds fitted on", fitted), ("other kinds", checked)):
        print_reliability(f"explore, {title}", seen)
        voted = [one._replace(evidence=one.evidence._replace(parts=())) for one in seen if one.evidence.answer.votes]
        print_reliability(f"select, {title}", voted)


def print_rules(seen: Sequence[Seen]) -> None:
    by_votes: list[Known] = [(one.evidence, one.groups) for one in seen if one.evidence.answer.votes]
    by_gap: list[Known] = [(one.evidence, one.groups) for one in seen if not one.evidence.answer.votes]
    if by_votes:
        print("RESAMPLED =", fit_rule(by_votes))
        print("VOTED =", fit_rule([(evidence._replace(parts=()), k) for evidence, k in by_votes], fixed=(4,)))
    if by_gap:
        print("BY_GAP =", fit_rule(by_gap, fixed=(5,)))


def print_reliability(title: str, seen: Sequence[Seen]) -> None:
    """The number named with probability p, or none: how often it is right."""
    chosen = [most_probable(probabilities(one.evidence)) for one in seen]
    said = np.array([probabilities(one.evidence).at(k) for one, k in zip(seen, chosen)])
    right = np.array([one.groups == k for one, k in zip(seen, chosen)])
    print(f"\n{title}: {len(seen)} tables\n| said | right | tables |\n|---|---|---|")
    for low, high in pairwise(EDGES):
        here = (said > low) & (said <= high)
        if here.any():
            print(f"| {said[here].mean():.2f} | {right[here].mean():.2f} | {here.sum()} |")
    print_errors("after", seen, chosen, [grade_now(one, k) for one, k in zip(seen, chosen)])
    before = [one.evidence.answer.k for one in seen]
    print_errors("before", seen, before, [grade_before(one, k) for one, k in zip(seen, before)])


def print_errors(title: str, seen: Sequence[Seen], chosen: Sequence[int], grades: Sequence[str]) -> None:
    nulls = [k for one, k in zip(seen, chosen) if one.groups == 1]
    right = sum(one.groups == k for one, k in zip(seen, chosen))
    wrong = [one.groups != k and k > 1 for one, k in zip(seen, chosen)]
    sure, careless = (sum(w and g in words for w, g in zip(wrong, grades)) for words in (["clear"], ["clear", "fair"]))
    print(
        f"{title}: right {right} of {len(seen)}; "
        f"nulls said to hold groups {sum(k > 1 for k in nulls)} of {len(nulls)}; "
        f"wrong and clear {sure}, wrong and at least fairly clear {careless}"
    )


def grade_now(one: Seen, k: int) -> str:
    same = float(np.mean([part.k == k for part in one.evidence.parts])) if one.evidence.parts else None
    grade = grade_of(probabilities(one.evidence).at(k), same, one.stability[k - 1] or 0.0)
    return "fair" if grade == "fairly clear" else grade


def grade_before(one: Seen, k: int) -> str:
    stability = one.stability[k - 1] or 0.0
    repeated = not one.evidence.parts or np.mean([part.k == k for part in one.evidence.parts]) >= 0.7
    return "" if stability < 0.7 else "clear" if stability >= 0.9 and repeated else "fair"
