"""Where groups are not round: a model that follows them, the evidence for their number, and the words.

K-means, Gaussian mixtures and the tree of the density are compared by the valleys along the borders of their groups
(`shapes.candidates`). Where another number than that of the criteria for round clusters stands out, its probability
comes from references and parts of the table, as the other does; if both were sure, each counts half.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from unmix.core.random import spawn
from unmix.density import GaussianMixture
from unmix.exploration.findings.records import Selection
from unmix.exploration.structure.counting import Count
from unmix.exploration.structure.evaluation_set import EvaluationSet
from unmix.exploration.structure.gap import most_probable_by_gaps
from unmix.exploration.structure.partitions import Partitions, partitions_of
from unmix.exploration.structure.repeat import part_of
from unmix.exploration.structure.shapes.candidates import Partition, better_partition, by_density, votes_of
from unmix.exploration.structure.shapes.density_groups import DensityGroups
from unmix.exploration.structure.verdict import followed_by_round, remark, shown
from unmix.validation import Stability
from unmix.validation.criteria.stability import StabilityDetails
from unmix.validation.evidence.references.gumbel import Gumbel
from unmix.validation.evidence.references.reference import Reference
from unmix.validation.evidence.resampled.distance import clustering_distance
from unmix.validation.fits.refit import in_parallel
from unmix.validation.selection.probability import Answer, Evidence, Probabilities, at_most, probabilities
from unmix.validation.selection.result import Selection as Choice
from unmix.validation.selection.sureness import SURE, grade_of, number_in_words

_references, _parts, _reference_rows = 10, 10, 500
_close = 0.1  # share of rows that a fitted model may put elsewhere than the partition it was made for


class Shaped(NamedTuple):
    """A model that follows groups which are not round, the record that speaks of it, its stability and the evidence."""

    kind: str  # "gaussian" or "density"
    model: Any
    selection: Selection
    stability: StabilityDetails
    evidence: Evidence


class Chosen(NamedTuple):
    """A partition, the record with its number, how probable that is, and what this rests on."""

    partition: Partition
    record: Selection
    said: Probabilities
    evidence: Evidence


def find_shape(count: Count, evaluated: EvaluationSet, X: np.ndarray, seed: int, fixed: bool) -> Shaped | None:
    """None where K-means is to be kept; `X` are all rows, with the judged ones without rounding.

    Categories are no points in space, and where rows depend on each other a path through them looks like a group.
    """
    choice = count.choice
    partitions = None if choice is None or evaluated.order is not None else partitions_of(choice, evaluated, seed)
    if choice is None or partitions is None:
        return None
    if evaluated.space.shape[1] != X.shape[1]:
        partitions = partitions._replace(gaussians={})  # of projected rows they would say nothing of rows that are not
    chosen = _choose(count, partitions, evaluated.reference(evaluated.space[partitions.rows]), seed, fixed)
    model = None if chosen is None else _model(chosen.partition, X, evaluated.rows[partitions.rows], seed)
    if chosen is None or model is None:
        return None
    best, record, said, evidence = chosen
    stability = Stability(n_resamples=10).measure(model, X[evaluated.rows], spawn(seed, 31))
    how = _in_words(best, choice)
    verdict = f"{record.verdict} {how}" if fixed else _verdict(record, said, how, stability)
    return Shaped(best.kind, model, replace(record, verdict=verdict), stability, evidence)


def _choose(count: Count, partitions: Partitions, draw: Reference, seed: int, fixed: bool) -> Chosen | None:
    """Another number than that of K-means only if it is as probable, both weighed."""
    record, evidence = count.selection, count.evidence
    best = better_partition(*partitions[1:], record.chosen_k, fixed, followed_by_round(count.choice, record))
    if best is None or evidence is None:
        return None
    said = probabilities(evidence) if count.bound is None else at_most(count.bound, probabilities(evidence))
    if best.k == record.chosen_k:
        return Chosen(best, record, said, evidence)
    new, again = _counted_again(count, said, best, partitions.distances, draw, seed)
    again = at_most(most_probable_by_gaps(partitions) if count.bound is None else count.bound, again)
    enough = SURE if record.chosen_k == 1 else 0.0  # nothing else speaks for clusters
    if again.at(best.k) >= max(enough, again.at(record.chosen_k)):
        return Chosen(best, _recorded(record, best.k, new, again), again, new)
    best = better_partition(*partitions[1:], record.chosen_k, True)
    return None if best is None else Chosen(best, record, said, evidence)


def _model(best: Partition, X: np.ndarray, rows: np.ndarray, seed: int) -> Any:
    """Fitted to all rows; None where it does not find the groups it was made for."""
    model: Any = DensityGroups(best.k, random_state=seed)
    if best.kind == "gaussian":
        means = np.stack([X[rows[best.labels == c]].mean(axis=0) for c in range(best.k)])
        model = GaussianMixture(best.k, means_init=means, random_state=seed)
    model.fit(X)
    found = np.asarray(model.predict(X[rows]))
    whole = len(np.unique(found)) == best.k  # a small group may be lost
    return model if whole and clustering_distance(found, best.labels) <= _close else None


def _counted_again(
    count: Count, said: Probabilities, best: Partition, distances: np.ndarray, draw: Reference, seed: int
) -> tuple[Evidence, Probabilities]:
    """What references and parts say of the number of the partition; an answer that was sure before counts half."""
    parts = _answers_of_parts(distances, seed)
    votes = (best.k, max(best.k, votes_of(by_density(distances))[1]))
    evidence = Evidence(Answer(best.k, votes), _chance(draw, seed).tail(best.depth), tuple(parts))
    again = _at_least(probabilities(evidence), said.clusters)
    return evidence, _half_each(said, again) if _was_sure(count, said) else again


def _was_sure(count: Count, said: Probabilities) -> bool:
    """Whether the criteria for round clusters call theirs clear, or fairly clear."""
    record, choice = count.selection, count.choice
    if record.chosen_k == 1 or choice is None:
        return False
    stability = choice.evaluations["stability"].scores[record.k.index(record.chosen_k)].value
    return grade_of(said.at(record.chosen_k), record.confidence, stability) in ("clear", "fairly clear")


def _recorded(record: Selection, k: int, evidence: Evidence, said: Probabilities) -> Selection:
    same = float(np.mean([part.k == k for part in evidence.parts]))
    shares = [said.at(number) for number in record.k]
    return replace(record, chosen_k=k, confidence=same, probability=said.clusters, probabilities=shares)


def _at_least(said: Probabilities, clusters: float) -> Probabilities:
    """That there are clusters is as probable as other criteria made it; the shares of the numbers stay."""
    if said.clusters >= clusters:
        return said
    return Probabilities(clusters, {k: share * clusters / said.clusters for k, share in said.of.items()})


def _half_each(one: Probabilities, other: Probabilities) -> Probabilities:
    of = {k: (one.at(k) + other.at(k)) / 2 for k in {*one.of, *other.of}}
    ordered = dict(sorted(of.items(), key=lambda item: (-item[1], item[0])))
    return Probabilities((one.clusters + other.clusters) / 2, ordered)


def _answers_of_parts(distances: np.ndarray, seed: int) -> list[Answer]:
    def answer(part: int) -> Answer:
        rows = part_of(np.arange(len(distances)), spawn(seed, 33, part))
        votes = votes_of(by_density(distances[np.ix_(rows, rows)]))
        return Answer(votes[0], votes)

    return in_parallel(answer, _parts, "parts")


def _chance(draw: Reference, seed: int) -> Gumbel:
    """How deep the borders are in tables without groups; this hardly depends on the number of rows."""

    def deepest(reference: int) -> float:
        table = draw(spawn(seed, 34, reference))[:_reference_rows]
        return max((one.depth for one in by_density(cdist(table, table))), default=0.0)

    return Gumbel.of(np.array(in_parallel(deepest, _references, "references")))


def _verdict(record: Selection, said: Probabilities, how: str, stability: StabilityDetails) -> str:
    value, error = stability.score
    k, grade = record.chosen_k, grade_of(said.at(record.chosen_k), record.confidence, value)
    refits = f"{remark(value)} (stability {value:.2f} ± {error:.2f}, 1 = always the same)."
    return " ".join([number_in_words(k, said, grade, max(record.k)), *shown(k, said, grade), how, refits])


def _in_words(best: Partition, choice: Choice) -> str:
    what = "the density" if best.kind == "density" else "Gaussians of their own spread and direction"
    others = choice.details["consensus"].n_clusters
    words = (
        f"The clusters are not round: they follow {what}. Along their borders rows are fewer than chance makes them; "
        "K-means would cut across."
    )
    if others in (1, best.k):
        return words
    return f"{words} Criteria that look for round clusters need {others} of them."
