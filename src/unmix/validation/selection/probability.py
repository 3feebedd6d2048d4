"""How probable it is that there are clusters, and each number of them, from what criteria and resampled tables said.

P(clusters) = σ(a₀ + a₁ evidence + a₂ share of the table and its parts that are said to hold clusters)
P(k | clusters) ∝ exp(b₁ repeated(k) + b₂ votes(k)),   some other number ∝ exp(b₀)

evidence is -log₁₀ of the probability of such valleys (such a gap) by chance, at most 4; repeated(k) the share of parts
that give k; votes(k) the share of all votes for more than one cluster, of the table and of its parts. The numbers of a
rule make what was known of made tables likeliest (`python -m benchmarks calibration` fits them, and checks them on
other kinds of tables): a probability is the share of such tables of which the statement is true.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np

MOST_EVIDENCE = 4.0  # powers of ten; beyond, the tail of chance is not known so well
UNCONFIRMED = 0.45  # most for clusters that the test, whose level is known, finds in less than half of the tables


class Answer(NamedTuple):
    """The number of clusters of one table, and the numbers its criteria voted for (none where the gap decides)."""

    k: int
    votes: tuple[int, ...] = ()


class Evidence(NamedTuple):
    """The answer of a table, the probability of its valleys by chance (1 where unknown), the answers of its parts."""

    answer: Answer
    p_value: float = 1.0
    parts: tuple[Answer, ...] = ()


class Rule(NamedTuple):
    """Weights (a₀, a₁, a₂) of whether there are clusters, and (b₀, b₁, b₂) of how many."""

    clusters: tuple[float, float, float]
    number: tuple[float, float, float]


class Probabilities(NamedTuple):
    """That there are clusters, and of each number above one that somebody named, most probable first.

    What is missing to `clusters` is the probability of a number that nobody named.
    """

    clusters: float
    of: dict[int, float]

    @property
    def one(self) -> float:
        return 1.0 - self.clusters

    def at(self, k: int) -> float:
        return self.one if k == 1 else self.of.get(k, 0.0)


RESAMPLED = Rule((-3.77, 3.52, 1.4), (2.46, 0.58, 6.14))
VOTED = Rule((-3.83, 3.9, 0.0), (3.76, 0.0, 7.63))
BY_GAP = Rule((-4.44, 1.9, 1.19), (-1.28, 0.64, 0.0))


def probabilities(evidence: Evidence) -> Probabilities:
    rule = VOTED if not evidence.parts else RESAMPLED if evidence.answer.votes else BY_GAP
    said = by_rule(rule, evidence)
    return said if signs_of_clusters(evidence)[-1] >= 0.5 else at_most(UNCONFIRMED, said)


def at_most(clusters: float, said: Probabilities) -> Probabilities:
    """With a bound on the probability that there are clusters; the numbers of them keep their proportions."""
    if said.clusters <= clusters:
        return said
    return Probabilities(clusters, {k: share * clusters / said.clusters for k, share in said.of.items()})


def most_probable(said: Probabilities) -> int:
    """One where clusters are less probable than none, else the most probable number of them."""
    return next(iter(said.of)) if said.of and said.clusters >= said.one else 1


def by_rule(rule: Rule, evidence: Evidence) -> Probabilities:
    clusters = float(1 / (1 + np.exp(-np.dot(rule.clusters, signs_of_clusters(evidence)))))
    numbers, support = signs_of_numbers(evidence)
    weights = np.exp(support @ np.array(rule.number[1:]))
    shares = clusters * weights / (weights.sum() + np.exp(rule.number[0]))
    order = np.argsort(-shares, kind="stable")
    return Probabilities(clusters, {numbers[i]: float(shares[i]) for i in order})


def signs_of_clusters(evidence: Evidence) -> np.ndarray:
    """(1, evidence, share of the table and its parts with clusters)."""
    powers = -np.log10(max(evidence.p_value, 10.0**-MOST_EVIDENCE))
    return np.array([1.0, powers, np.mean([answer.k > 1 for answer in (evidence.answer, *evidence.parts)])])


def signs_of_numbers(evidence: Evidence) -> tuple[list[int], np.ndarray]:
    """Numbers above one that were named, and for each a row (repeated, votes)."""
    everybody = (evidence.answer, *evidence.parts)
    votes = Counter(vote for answer in everybody for vote in answer.votes if vote > 1)
    again = Counter(part.k for part in evidence.parts)
    numbers = sorted({*votes, *again, evidence.answer.k} - {1})
    n_votes, n_parts = max(votes.total(), 1), max(len(evidence.parts), 1)
    rows = [(again[k] / n_parts, votes[k] / n_votes) for k in numbers]
    return numbers, np.array(rows).reshape(-1, 2)
