"""The answer in words: how many clusters, by what evidence, and who disagrees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unmix.core.percent import whole_percent
from unmix.validation.criteria.base import Evaluation
from unmix.validation.criteria.consensus import STRONG_EVIDENCE, WEAK_EVIDENCE, ConsensusDetails
from unmix.validation.criteria.separation import SeparationDetails
from unmix.validation.fits.refit import size_of, size_parameter
from unmix.validation.selection.preference import listed, preference_in_words
from unmix.validation.selection.probability import Answer, Evidence, Probabilities, probabilities
from unmix.validation.selection.sureness import number_in_words


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
        return [_one_only(models)]
    if k == 1 and all(depth != depth for depth in seen.deepest):
        return ["No cluster structure: whatever K, all rows fall into one cluster.", *nearest]
    if k == 1:
        none = whole_percent(probabilities_of(seen).one)
        return [f"No cluster structure beyond chance ({none}): {no_structure(seen)}.", *nearest]
    if set(sizes) == {k} and _takes_number(models):
        return [f"Only {k} clusters were tried, so the criteria had no choice. {valleys_in_words(seen)}."]
    first = number_in_words(k, probabilities_of(seen), None, max(sizes) if _takes_number(models) else None)
    words = [first, f"{valleys_in_words(seen)}.", f"{votes_in_words(seen)}.", *nearest]
    if sizes[best] == k and seen.votes["density valleys"] >= k > seen.groups[best]:
        words.append(
            f"The clusters of {type(models[best]).__name__} with K = {k} do not follow these groups; their shapes or "
            "sizes may not suit this model."
        )
    if k >= max(sizes) > 1 and _takes_number(models):
        words.append("This is the largest number on the grid: there may be more.")
    return words


def probabilities_of(seen: ConsensusDetails) -> Probabilities:
    """That there are clusters, and of each number, by the votes on this table alone."""
    return probabilities(Evidence(Answer(seen.n_clusters, tuple(seen.votes.values())), seen.p_value))


def no_structure(seen: ConsensusDetails) -> str:
    if seen.p_value >= WEAK_EVIDENCE:
        return (
            "however the rows are divided, the density between the parts drops no lower than in tables without "
            f"clusters (p = {_p(seen.p_value)})"
        )
    icl, bic = seen.votes["mixture ICL"], seen.votes["mixture BIC"]
    return (
        f"there is weak evidence of separate groups (p = {_p(seen.p_value)}), but Gaussian mixtures do not confirm it "
        f"(ICL prefers {icl}, BIC {bic})"
    )


def votes_in_words(seen: ConsensusDetails) -> str:
    """Which criteria choose the number, and what the others prefer."""
    agreeing = [name for name, vote in seen.votes.items() if vote == seen.n_clusters]
    others = ", ".join(f"{name}: {vote}" for name, vote in seen.votes.items() if vote != seen.n_clusters)
    if not others:
        return f"All {len(agreeing)} criteria agree on the number ({listed(agreeing)})"
    if len(agreeing) == 1:
        return f"The number is uncertain: {agreeing[0]} decides among criteria that disagree ({others})"
    agreed = f"{len(agreeing)} of {len(seen.votes)} criteria agree on the number ({listed(agreeing)})"
    return f"{agreed}; others differ ({others})"


def valleys_in_words(seen: ConsensusDetails) -> str:
    relation = _p(seen.p_value, True)
    if seen.p_value < STRONG_EVIDENCE:
        return f"The density between them drops lower than in tables without clusters (p {relation})"
    return f"The density between them drops somewhat lower than chance makes it (p {relation}), and mixtures agree"


def _one_only(models: Sequence[Any]) -> str:
    return "Only one cluster was tried." if _takes_number(models) else "With every setting all rows are one cluster."


def _takes_number(models: Sequence[Any]) -> bool:
    """Whether the number of clusters is a parameter of the models, rather than a result."""
    return size_parameter(models[0]) is not None


def separation_in_words(models: Sequence[Any], seen: SeparationDetails, best: int) -> list[str]:
    sizes, k = [size_of(model) for model in models], seen.n_groups
    chance = f"{seen.chance.mean():.2f} ± {seen.chance.std():.2f}"
    deepest = max((depth for depth in seen.deepest if depth == depth), default=float("nan"))
    nearest = [f"The grid has no K = {k}; {sizes[best]} is the nearest."] if sizes[best] != k else []
    if k == 1 and max(sizes) == 1:
        return [_one_only(models)]
    if k == 1 and deepest != deepest:
        return ["No cluster structure: whatever K, all rows fall into one cluster.", *nearest]
    if k == 1:
        compared = "is no deeper than" if seen.p_value >= WEAK_EVIDENCE else "is not significantly deeper than"
        return [
            f"No cluster structure beyond chance: the deepest valley in the density between clusters, for K up to "
            f"{max(sizes)} ({deepest:.2f}), {compared} in tables without clusters ({chance}; "
            f"p {_p(seen.p_value, True)}).",
            *nearest,
        ]
    words = [
        f"{k} clusters: each is separated from the others by a valley in the density deeper than chance makes "
        f"(deepest {deepest:.1f}, in tables without clusters {chance}; p {_p(seen.p_value, True)})."
    ]
    words += nearest
    if sizes[best] == k and seen.groups[best] < k:
        name = type(models[best]).__name__
        words.append(
            f"The clusters of {name} with K = {k} do not follow these groups, which appear when smaller clusters are "
            "merged; their shapes or sizes may not suit this model."
        )
    if k >= max(sizes) > 1 and _takes_number(models):
        words.append("This is the largest number on the grid: there may be more.")
    return words


def _stability(evaluations: dict[str, Evaluation], best: int, k: int | None) -> list[str]:
    if "stability" not in evaluations or k == 1:
        return []
    value, error = evaluations["stability"].scores[best]
    if value != value:
        return []
    return [f"Stability of the clusters under resampling of rows: {value:.2f} ± {error:.2f} (1 = always the same)."]


def _disagreement(models: Sequence[Any], evaluations: dict[str, Evaluation], k: int | None) -> list[str]:
    other = {
        name: size_of(models[evaluation.choice])
        for name, evaluation in evaluations.items()
        if evaluation.choice is not None and size_of(models[evaluation.choice]) != k
    }
    if not other or None in other.values():
        return []
    return ["Other criteria differ: " + ", ".join(f"{name} prefers {size}" for name, size in other.items()) + "."]


def _p(p: float, relation: bool = False) -> str:
    text = "< 0.001" if p < 0.001 else f"{p:.2g}"
    return text if not relation or p < 0.001 else f"= {text}"
