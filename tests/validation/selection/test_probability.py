"""The probabilities of numbers of clusters: the formula, what must raise them, and what they add up to."""

import math

import pytest

from unmix.cluster import KMeans
from unmix.datasets import blobs
from unmix.validation import BIC, Consensus, select
from unmix.validation.selection.probability import (
    BY_GAP,
    RESAMPLED,
    VOTED,
    Answer,
    Evidence,
    Rule,
    by_rule,
    most_probable,
    probabilities,
)

ALL_FIVE = Answer(3, (3, 3, 3, 3, 3))


def test_the_formula_by_hand():
    evidence = Evidence(Answer(3, (3, 3, 3, 4, 1)), 1e-2, (Answer(3, (3, 3, 4, 4, 4)), Answer(1, (1, 1, 1, 2, 1))))
    said = by_rule(Rule((-1.0, 0.5, 2.0), (0.3, 1.0, 3.0)), evidence)
    clusters = 1 / (1 + math.exp(1 - 0.5 * 2 - 2.0 * 2 / 3))
    weights = {2: math.exp(3 / 10), 3: math.exp(0.5 + 3 * 5 / 10), 4: math.exp(3 * 4 / 10)}
    total = sum(weights.values()) + math.exp(0.3)
    assert said.clusters == pytest.approx(clusters)
    assert said.of == pytest.approx({k: clusters * weight / total for k, weight in weights.items()})
    assert list(said.of) == [3, 4, 2]
    assert said.at(1) == pytest.approx(1 - clusters) and said.at(9) == 0


@pytest.mark.parametrize("n_parts", [0, 10])
def test_agreement_of_all_is_nearly_sure_and_of_two_is_not(n_parts):
    agreed = probabilities(Evidence(ALL_FIVE, 1e-6, (ALL_FIVE,) * n_parts))
    assert agreed.at(3) > 0.9 and most_probable(agreed) == 3
    two = Answer(5, (5, 5, 4, 9, 4))
    assert probabilities(Evidence(two, 1e-6, (two,) * n_parts)).at(5) < 0.6
    differ = Answer(7, (7, 6, 2, 10, 3))
    assert probabilities(Evidence(differ, 1e-6, (differ,) * n_parts)).at(7) < 0.5


def test_parts_that_repeat_a_number_raise_its_probability():
    other = Answer(4, (4, 4, 4, 4, 3))
    said = [
        probabilities(Evidence(ALL_FIVE, 1e-6, (ALL_FIVE,) * same + (other,) * (10 - same))).at(3) for same in range(11)
    ]
    assert said == sorted(said)


def test_a_number_of_most_parts_wins_over_that_of_the_table():
    table, part = Answer(3, (2, 2, 3, 3, 3)), Answer(2, (2, 2, 2, 3, 2))
    assert most_probable(probabilities(Evidence(table, 1e-9, (part,) * 10))) == 2


def test_deeper_valleys_make_clusters_more_probable():
    by_valley = [probabilities(Evidence(ALL_FIVE, 10.0**-power, (ALL_FIVE,) * 10)).clusters for power in range(8)]
    assert by_valley == sorted(by_valley)
    nothing = Answer(1, (1, 1, 1, 2, 1))
    none = probabilities(Evidence(nothing, 0.9, (nothing,) * 10))
    assert none.clusters < 0.1 and most_probable(none) == 1


def test_what_the_test_does_not_find_is_never_more_probable_than_not():
    unconfirmed = Answer(1, (1, 1, 2, 2, 2))
    said = probabilities(Evidence(unconfirmed, 0.03, (unconfirmed,) * 10))
    assert said.clusters < 0.5 and sum(said.of.values()) < said.clusters and most_probable(said) == 1


def test_nobody_names_a_number_above_one():
    said = probabilities(Evidence(Answer(1), 0.9, (Answer(1),) * 10))
    assert said.of == {} and most_probable(said) == 1


@pytest.mark.parametrize("rule", [RESAMPLED, VOTED, BY_GAP])
def test_evidence_and_agreement_never_count_against(rule):
    assert min(rule.clusters[1:]) >= 0 and min(rule.number[1:]) >= 0
    said = by_rule(rule, Evidence(ALL_FIVE, 1e-5, (ALL_FIVE,) * 10))
    assert 0 < sum(said.of.values()) < said.clusters < 1


def test_select_gives_the_probabilities_its_verdict_speaks_of():
    X, _ = blobs(90, 2, 3, random_state=0)
    found = select(KMeans(n_init=2), X, range(1, 5), Consensus(n_references=5), random_state=0)
    assert found.verdict.startswith(f"3 clusters ({100 * found.probabilities[3]:.0f} %)")
    assert 0.9 < sum(found.probabilities.values()) < 1
    assert select(KMeans(n_init=2), X, range(1, 5), BIC(), random_state=0).probabilities is None
