"""The answer in words: how many clusters, by what evidence, and who disagrees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unmix.validation.criteria.base import Evaluation
from unmix.validation.criteria.consensus import CERTAIN, LIKELY, ConsensusDetails
from unmix.validation.criteria.separation import SeparationDetails
from unmix.validation.fits.refit import size_of, size_parameter
from unmix.validation.selection.preference import listed, preference_in_words


def in_words(
    models: Sequence[Any], points: Sequence[Mapping[str, Any]], evaluations: dict[str, Evaluation], best: int
) -> str:
    sentences = []
    k = size_of(models[best])
    if "consensus" in evaluations:
        sentences += consensus_in_words(models, evaluations["consensus"].details, best)
    elif "separation" in evaluations:
        sentences += separation_in_words(models, evaluations["separation"].details, best)
    else:
        sentences += preference_in_words(models, points, evaluations, best)
    sentences += _stability(evaluations, best, k)
    sentences += _disagreement(models, evaluations, k)
    return " ".join(sentences)


def consensus_in_words(models: Sequence[Any], seen: ConsensusDetails, best: int) -> list[str]:
    sizes, k = [size_of(model) for model in models], seen.n_clusters
    nearest = [f"The grid has no K = {k}; {sizes[best]} is the nearest."] if sizes[best] != k else []
    if k == 1 and max(sizes) == 1:
        return ["Only one cluster was tried." if _asked(models) else "With every setting all rows are one cluster."]
    if k == 1 and all(depth != depth for depth in seen.deepest):
        return ["No cluster structure: whatever K, all rows fall into one cluster.", *nearest]
    if k == 1:
        return [f"No cluster structure beyond chance: {no_structure(seen)}.", *nearest]
    if set(sizes) == {k} and _asked(models):
        return [f"Only {k} clusters were tried, so the views had no choice. {valleys_in_words(seen)}."]
    words = [f"{k} clusters: {who_says(seen)}. {valleys_in_words(seen)}.", *nearest]
    if sizes[best] == k and seen.votes["valleys"] >= k > seen.groups[best]:
        words.append(
            f"{type(models[best]).__name__} with {k} clusters does not draw them one by one; their shapes or sizes may "
            "not suit this model."
        )
    if k >= max(sizes) > 1 and _asked(models):
        words.append("That is the end of the grid: there may be more.")
    return words


def no_structure(seen: ConsensusDetails) -> str:
    if seen.p_value >= LIKELY:
        return (
            "the valleys between groups are no deeper than in tables without clusters "
            f"(p = {_p(seen.p_value)}), however the rows are cut"
        )
    icl, bic = seen.votes["mixture ICL"], seen.votes["mixture BIC"]
    return (
        f"there is a hint of a valley (p = {_p(seen.p_value)}), but Gaussian mixtures do not bear it out (their ICL "
        f"prefers {icl}, their BIC {bic})"
    )


def who_says(seen: ConsensusDetails) -> str:
    """Which views name the number, and what the others say."""
    for_it = [name for name, vote in seen.votes.items() if vote == seen.n_clusters]
    others = [f"{name} {vote}" for name, vote in seen.votes.items() if vote != seen.n_clusters]
    if not others:
        return f"all {len(for_it)} views agree ({listed(for_it)})"
    if not for_it:
        return f"no view alone says so ({listed(others)}), so take the number with care"
    if len(for_it) == 1:
        return f"{for_it[0]} says so, but the views disagree ({listed(others)}), so take the number with care"
    return f"{listed(for_it)} say so, against {listed(others)}"


def valleys_in_words(seen: ConsensusDetails) -> str:
    relation = _p(seen.p_value, True)
    if seen.p_value < CERTAIN:
        return f"Valleys in the density set groups apart more deeply than chance does (p {relation})"
    return f"Valleys in the density speak for groups (p {relation}), and mixtures agree"


def _asked(models: Sequence[Any]) -> bool:
    """Whether the models were told a number of clusters, rather than finding one."""
    return size_parameter(models[0]) is not None


def separation_in_words(models: Sequence[Any], seen: SeparationDetails, best: int) -> list[str]:
    sizes, k = [size_of(model) for model in models], seen.n_groups
    chance = f"{seen.chance.mean():.2f} ± {seen.chance.std():.2f}"
    deepest = max((depth for depth in seen.deepest if depth == depth), default=float("nan"))
    nearest = [f"The grid has no K = {k}; {sizes[best]} is the nearest."] if sizes[best] != k else []
    if k == 1 and max(sizes) == 1:
        return ["Only one cluster was tried." if _asked(models) else "With every setting all rows are one cluster."]
    if k == 1 and deepest != deepest:
        return ["No cluster structure: whatever K, all rows fall into one cluster.", *nearest]
    if k == 1:
        compared = "is no deeper than" if seen.p_value >= LIKELY else "is not surely deeper than"
        return [
            f"No cluster structure beyond chance: the deepest valley between any clusters for K up to {max(sizes)} "
            f"({deepest:.2f}) {compared} in tables without clusters ({chance}; p {_p(seen.p_value, True)}).",
            *nearest,
        ]
    words = [
        f"{k} clusters: every one is set apart from the others by a valley deeper than chance makes "
        f"(deepest {deepest:.1f} against {chance} in tables without clusters; p {_p(seen.p_value, True)})."
    ]
    words += nearest
    if sizes[best] == k and seen.groups[best] < k:
        name = type(models[best]).__name__
        words.append(
            f"{name} with {k} clusters does not draw them one by one; they show after merging parts of finer "
            "clusterings, so their shapes or sizes may not suit this model."
        )
    if k >= max(sizes) > 1 and _asked(models):
        words.append("That is the end of the grid: there may be more.")
    return words


def _stability(evaluations: dict[str, Evaluation], best: int, k: int | None) -> list[str]:
    if "stability" not in evaluations or k == 1:
        return []
    value, error = evaluations["stability"].scores[best]
    if value != value:
        return []
    return [f"On resampled rows the same clusters come back with stability {value:.2f} ± {error:.2f}."]


def _disagreement(models: Sequence[Any], evaluations: dict[str, Evaluation], k: int | None) -> list[str]:
    other = {
        name: size_of(models[evaluation.choice])
        for name, evaluation in evaluations.items()
        if evaluation.choice is not None and size_of(models[evaluation.choice]) != k
    }
    if not other or None in other.values():
        return []
    return ["Others differ: " + ", ".join(f"{name} prefers {size}" for name, size in other.items()) + "."]


def _p(p: float, relation: bool = False) -> str:
    text = "< 0.001" if p < 0.001 else f"{p:.2g}"
    return text if not relation or p < 0.001 else f"= {text}"
