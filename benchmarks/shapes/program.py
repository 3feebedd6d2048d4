"""Explores tables of groups of all shapes, and prints how well they are taken apart and how sure the answer was.

`--repeat` tables of every kind; `--only` chooses kinds. Wrong and sure: another number of groups than was made, or an
agreement (adjusted Rand index) below 0.8, in an answer that is called clear or fairly clear.
"""

import argparse
import warnings

import numpy as np

from benchmarks.shapes.tables import KINDS


def main(options: argparse.Namespace) -> None:
    repeats = 2 if options.quick else options.repeat
    print("| table | groups | right number | mean agreement | wrong and sure |")
    print("|---|---|---|---|---|")
    wrong = tried = 0
    for name in KINDS:
        if options.only.lower() in name.lower():
            groups = int(KINDS[name](np.random.default_rng(0))[1].max()) + 1
            found = [explored(name, seed) for seed in range(repeats)]
            right, agreement, sure = np.array(found, dtype=float).T
            wrong, tried = wrong + int(sure.sum()), tried + repeats
            print(
                f"| {name} | {groups} | {int(right.sum())} of {repeats} | {agreement.mean():.2f} "
                f"| {int(sure.sum())} of {repeats} |",
                flush=True,
            )
    print(f"\nWrong and sure: {wrong} of {tried}.")


def explored(name: str, seed: int) -> tuple[bool, float, bool]:
    """Whether the number is right, the adjusted Rand index, and whether the answer is wrong and sure."""
    from sklearn.metrics import adjusted_rand_score

    import unmix

    X, group = KINDS[name](np.random.default_rng([seed, 2027]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        findings = unmix.explore({f"column {j}": column for j, column in enumerate(X.T)}, seed=seed)
    selection, made = findings.selection, int(group.max()) + 1
    agreement = float(adjusted_rand_score(group, findings.labels))
    grade = selection.verdict.partition("(")[0] if selection.chosen_k > 1 else ""
    right = selection.chosen_k == made
    return right, agreement, "clear" in grade and not (right and (made == 1 or agreement >= 0.8))
