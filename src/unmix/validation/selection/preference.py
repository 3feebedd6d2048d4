"""The answer in words where no criterion decides alone: what is preferred, by whom, and whether they were divided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from unmix.validation.criteria.base import Evaluation
from unmix.validation.fits.no_structure import labels_rows, predicts_entries
from unmix.validation.fits.refit import size_of, size_parameter


def preference_in_words(
    models: Sequence[Any], points: Sequence[Mapping[str, Any]], evaluations: Mapping[str, Evaluation], best: int
) -> list[str]:
    what, verb = named(models[best], points[best])
    if len(models) == 1:
        was = "was" if verb == "is" else "were"
        return ["Nothing but the column means was tried." if what == "no component" else f"Only {what} {was} tried."]
    words = f"{what[0].upper()}{what[1:]} {verb} preferred by {listed(supporters(models, evaluations, best))}"
    sentences = [words + _structure_in_words(models[best]) + ".", *_no_better(models[best], evaluations)]
    votes = Counter(evaluation.choice for evaluation in evaluations.values() if evaluation.choice is not None)
    if list(votes.values()).count(max(votes.values())) > 1:
        sentences.append("The criteria disagree, and none has a majority; the first of them decides.")
    sizes = [size for size in map(size_of, models) if size is not None]
    if size_parameter(models[best]) is not None and (size_of(models[best]) or 0) >= max(sizes) > 1:
        sentences.append("This is the largest number on the grid: there may be more.")
    return sentences


def named(model: Any, point: Mapping[str, Any]) -> tuple[str, str]:
    """What a grid point stands for, in words, and the verb that goes with it."""
    size = size_of(model)
    if size is None:
        return "the setting " + ", ".join(f"{name.split('__')[-1]}={value}" for name, value in point.items()), "is"
    noun = "cluster" if labels_rows(model) else "component"
    if size == 0:
        return f"no {noun}", "is"
    return (f"one {noun}", "is") if size == 1 else (f"{size} {noun}s", "are")


def supporters(models: Sequence[Any], evaluations: Mapping[str, Evaluation], best: int) -> list[str]:
    """The criteria that prefer a model of this size, or this very one where models have none."""
    size = size_of(models[best])

    def agrees(choice: int | None) -> bool:
        return choice is not None and (choice == best or (size is not None and size_of(models[choice]) == size))

    return [name for name, evaluation in evaluations.items() if agrees(evaluation.choice)]


def _structure_in_words(model: Any) -> str:
    if size_of(model) == 0:
        kept = "the offsets of rows and columns" if predicts_entries(model) else "the column means"
        return f": nothing beyond {kept}"
    return ": no structure" if size_of(model) == 1 and labels_rows(model) else ""


def _no_better(model: Any, evaluations: Mapping[str, Evaluation]) -> list[str]:
    """A decomposition that predicts held-out entries no better than rank 0 has found nothing."""
    if labels_rows(model) or not size_of(model):
        return []
    beaten = any(getattr(each.details, "beats_nothing", True) is False for each in evaluations.values())
    return ["It predicts held-out entries no better than no component does: no structure."] if beaten else []


def listed(names: Sequence[str]) -> str:
    """One, two and three.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
