"""The number of clusters by `unmix.validation.select`, as a record for the reader.

The consensus of five criteria judges where rows are points in space; where categories take part, the gap to shuffled
columns. Parts of the table are judged too, and the most probable number by all of these is the answer. Stability and
BIC are shown beside it: their error bars tell how sharp the answer is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from unmix.cluster import KMeans
from unmix.exploration.findings.records import CriterionCurve, Selection
from unmix.exploration.structure.chance import Gap
from unmix.exploration.structure.evaluation_set import EvaluationSet
from unmix.exploration.structure.gap import most_probable_by_gaps
from unmix.exploration.structure.partitions import partitions_of
from unmix.exploration.structure.repeat import answers_of_parts
from unmix.exploration.structure.verdict import TOGETHER, asked, one_relation, verdict
from unmix.validation import BIC, Consensus, Stability, select
from unmix.validation.selection.probability import (
    UNCONFIRMED,
    Answer,
    Evidence,
    Probabilities,
    at_most,
    most_probable,
    probabilities,
)
from unmix.validation.selection.result import Selection as Choice

fewest_rows = 12  # with fewer, a valley between groups cannot be told from chance

_meaning = {
    "consensus": "Share of five criteria (ICL of Gaussian mixtures, their BIC, drops in density between clusters, "
    "drops in density between Gaussians, Calinski-Harabasz) that choose this number; all of them 1 where no structure "
    "goes beyond chance.",
    "gap": "How much more a further cluster reduces the variance within clusters than with columns shuffled inside "
    "them (log scale): 0 is what chance gives.",
    "stability": "Agreement of K-means with its refits on resampled rows: 1 always the same, 0 as labels at random.",
    "BIC": "Likelihood of a mixture of round clusters, penalised by its number of parameters: smaller is better. "
    "Errors are those of the difference to the best.",
}


class Count(NamedTuple):
    """The record, and for each row how often it kept its cluster on resampled rows (None: not resampled).

    `evidence` is what the probabilities rest on, `choice` the fits and what the criteria saw of them; `bound` how
    probable clusters are at most, as their rows part so little (None: not asked).
    """

    selection: Selection
    kept: np.ndarray | None
    evidence: Evidence | None = None
    choice: Choice | None = None
    bound: float | None = None


def count_clusters(
    evaluated: EvaluationSet, max_k: int, seed: int, k: int | None = None, n_directions: int | None = None
) -> Count:
    """Choose among 1 … max_k clusters, or take the `k` that was asked for and say what would have been chosen.

    `n_directions` is how many principal components carry more than chance, None where that is not known.
    """
    X = evaluated.space
    most = min(max(max_k, k or 1), len(np.unique(X, axis=0))) if len(X) >= fewest_rows else 1
    ks = list(range(1, most + 1))
    if most == 1:
        record = Selection(ks, [], 1, "", None, len(X))
        record.verdict = verdict(record, None)
        return Count(record, None)
    by_gap = evaluated.category.any()
    consensus = Consensus(reference=evaluated.reference, mixtures_confirm=evaluated.order is None)
    criterion = Gap(evaluated.owner, evaluated.category, cloud=evaluated.cloud) if by_gap else consensus
    found = select(KMeans(random_state=seed), X, ks, [criterion, Stability(n_resamples=10), BIC()], random_state=seed)
    evidence = evidence_of(found, answers_of_parts(found, evaluated, seed))
    straight = probabilities(evidence)
    partitions = partitions_of(found, evaluated, seed) if most_probable(straight) > 1 else None
    bound = None if partitions is None else most_probable_by_gaps(partitions)
    pair = evaluated.pair() if by_gap and evaluated.pair and most_probable(straight) > 1 else None
    bound = bound if pair is None else UNCONFIRMED
    said = straight if bound is None else at_most(bound, straight)
    record = _record(found, evidence, said, ks, len(X))
    doubt = None
    if record.chosen_k == 1 < most_probable(straight):  # what parts of the table say is said along straight lines
        record.confidence, doubt = None, TOGETHER if pair is None else one_relation(*pair)
    record.verdict = verdict(record, found, said, evaluated.order, n_directions, doubt)
    best = ks.index(record.chosen_k)
    if k is not None:
        best = min(k, most) - 1
        record.chosen_k, record.verdict = ks[best], asked(ks[best], record.verdict)
    stability = found.details["stability"][best]
    kept = np.full(len(X), np.nan)
    kept[found.rows.get("stability", slice(None))] = stability.rows
    return Count(record, kept, evidence, found, bound)


def _record(found: Choice, evidence: Evidence, said: Probabilities, ks: list[int], n_rows: int) -> Selection:
    """For the reader, but for the words."""
    curves = [
        CriterionCurve(
            name, [score.value for score in seen.scores], [score.error for score in seen.scores],
            None if seen.choice is None else ks[seen.choice], found.higher_is_better[name], _meaning[name],
        )
        for name, seen in found.evaluations.items()
    ]  # fmt: skip
    best = most_probable(said)
    same = float(np.mean([part.k == best for part in evidence.parts]))
    return Selection(ks, curves, best, "", same, n_rows, said.clusters, [said.at(number) for number in ks])


def evidence_of(found: Choice, parts: Sequence[Answer]) -> Evidence:
    """What was seen of the table and of its parts; by the gap, how far the second cluster is beyond chance."""
    if "consensus" in found.evaluations:
        seen = found.details["consensus"]
        return Evidence(Answer(seen.n_clusters, tuple(seen.votes.values())), seen.p_value, tuple(parts))
    seen = found.evaluations["gap"]
    value, error = seen.scores[1]
    known = found.details["gap"].p_cloud
    p_value = float(ndtr(-value / max(error, 1e-9))) if known is None else known
    return Evidence(Answer(found.sizes[seen.choice] or 1), p_value, tuple(parts))
