"""The first sentence of an answer: how many clusters, how probable that is, and what else it may be.

The words follow from two numbers: how probable the number of clusters is, and what share of resampled tables gives it
again. The smaller one decides, so that an answer never sounds surer than it is repeatable.
"""

from __future__ import annotations

from unmix.core.percent import whole_percent
from unmix.validation.selection.probability import Probabilities

SURE, LIKELY = 0.8, 0.5  # from which on a number is clear, and stands out at all
WORTH_NAMING = 0.1  # of another number
CLEAR_CLUSTERS, FAIR_CLUSTERS = 0.9, 0.7  # stability of the clusters themselves


def grade_of(probability: float, same: float | None, stability: float) -> str:
    """One of "clear", "fairly clear", "unstable", or "" where no number stands out; `same` None: not resampled."""
    sure = probability if same is None else min(probability, same)
    if sure < LIKELY:
        return ""
    if stability < FAIR_CLUSTERS:
        return "unstable"
    return "clear" if sure >= SURE and stability >= CLEAR_CLUSTERS else "fairly clear"


def number_in_words(k: int, said: Probabilities, grade: str | None, most: int | None = None) -> str:
    """As "3 clear clusters (80 %), perhaps 4 (15 %)."; `grade` is None where clusters were not resampled.

    `most` is the largest number tried: who would choose a larger one chooses this, so it stands for all from there on.
    """
    others = _others(said, k)
    numbers = [k, *others]
    if grade == "" or said.at(k) < LIKELY or said.clusters < SURE:
        numbers.sort(key=said.at, reverse=True)
    named = _named(said, numbers, most)
    if said.clusters < SURE:
        return f"Perhaps clusters ({whole_percent(said.clusters)}): {' or '.join(named)}."
    if grade == "" and said.at(k) >= LIKELY:
        return f"Clusters, perhaps {named[0]}, but fewer than half of the subsamples of the rows give this number."
    if grade == "" or said.at(k) < LIKELY:
        return f"Clusters, but no number stands out: {', '.join(named)}."
    what = f"{k} or more" if k == most else f"{k} {grade}" if grade else str(k)
    words = f"{what} clusters ({whole_percent(said.at(k))})"
    return f"{words}, perhaps {' or '.join(named[1:])}." if others else f"{words}."


def _others(said: Probabilities, k: int) -> list[int]:
    """At most two numbers beside k that are worth their words."""
    return [other for other, probability in said.of.items() if other != k and probability >= WORTH_NAMING][:2]


def _named(said: Probabilities, numbers: list[int], most: int | None = None) -> list[str]:
    return [f"{k}{' or more' * (k == most)} ({whole_percent(said.at(k))})" for k in numbers]


def cloud_in_words(said: Probabilities, n_directions: int | None) -> str:
    """The first sentence where no clusters were found; `n_directions` is how many components go beyond chance."""
    if said.one < SURE:
        maybe = " or ".join(_named(said, _others(said, 1)))
        return f"Probably no clusters ({whole_percent(said.one)}){f', perhaps {maybe}' if maybe else ''}."
    none = f"No cluster structure beyond chance ({whole_percent(said.one)})"
    if n_directions is None:
        return f"{none}."
    if n_directions == 0:
        return f"{none}, and no direction either."
    directions = "one direction" if n_directions == 1 else f"{in_letters(n_directions)} directions"
    return f"{none}, one cloud stretched along {directions}."


def in_letters(n: int) -> str:
    return ("no", "one", "two", "three", "four", "five", "six")[n] if n <= 6 else str(n)
