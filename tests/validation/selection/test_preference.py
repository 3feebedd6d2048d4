"""Verdicts where no criterion decides alone: grammar for clusters, components and settings, ties, ends of grids."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.neighbors import KernelDensity

from unmix.datasets import blobs, gaussian
from unmix.decomposition import PCA
from unmix.validation import BIC, Consensus, Constant, CrossValidation, OneCluster, Separation, Silhouette, select
from unmix.validation.criteria.base import Evaluation
from unmix.validation.criteria.separation import SeparationDetails
from unmix.validation.selection.preference import preference_in_words
from unmix.validation.selection.verdict import separation_in_words, votes_in_words


def words(models, choices, best, points=None):
    evaluations = {name: Evaluation([], choice) for name, choice in choices.items()}
    return " ".join(preference_in_words(models, points or [{}] * len(models), evaluations, best))


CLUSTERS = [OneCluster(), KMeans(2), KMeans(3), KMeans(4)]
RANKS = [Constant(), PCA(1), PCA(2), PCA(3)]


@pytest.mark.parametrize(
    "models, choices, best, expected",
    [
        (CLUSTERS, {"BIC": 2}, 2, "3 clusters are preferred by BIC."),
        (CLUSTERS, {"BIC": 0}, 0, "One cluster is preferred by BIC: no structure."),
        (CLUSTERS, {"a": 2, "b": 2, "c": 1, "d": 2}, 2, "3 clusters are preferred by a, b and d."),
        (CLUSTERS, {"a": 2, "b": None}, 2, "3 clusters are preferred by a."),
        (
            CLUSTERS,
            {"a": 3},
            3,
            "4 clusters are preferred by a. This is the largest number on the grid: there may be more.",
        ),
        (
            CLUSTERS,
            {"a": 2, "b": 1},
            2,
            "3 clusters are preferred by a. The criteria disagree, and none has a majority; the first of them decides.",
        ),
        (RANKS, {"BIC": 2}, 2, "2 components are preferred by BIC."),
        (RANKS, {"BIC": 1}, 1, "One component is preferred by BIC."),
        (RANKS, {"BIC": 0}, 0, "No component is preferred by BIC: nothing beyond the column means."),
        (CLUSTERS[:1], {"BIC": 0}, 0, "Only one cluster was tried."),
        (CLUSTERS[2:3], {"BIC": 0}, 0, "Only 3 clusters were tried."),
        (RANKS[:1], {"BIC": 0}, 0, "Nothing but the column means was tried."),
        (RANKS[1:2], {"BIC": 0}, 0, "Only one component was tried."),
    ],
)
def test_what_is_preferred_and_by_whom(models, choices, best, expected):
    assert words(models, choices, best) == expected


def test_settings_without_a_size():
    points = [{"bandwidth": 0.5}, {"bandwidth": 1.0}]
    models = [KernelDensity(**point) for point in points]
    assert words(models, {"a": 1}, 1, points) == "The setting bandwidth=1.0 is preferred by a."
    found = select(KernelDensity(), gaussian(60, random_state=0), {"bandwidth": [0.01, 0.5]}, CrossValidation(), 0)
    assert found.verdict == "The setting bandwidth=0.5 is preferred by cross-validation."


def test_the_rank_of_a_decomposition_is_no_number_of_clusters():
    rng = np.random.default_rng(0)
    X = 3 * rng.normal(size=(80, 2)) @ rng.normal(size=(2, 6)) + rng.normal(size=(80, 6))
    assert select(PCA(), X, range(5), BIC(), random_state=0).verdict == "2 components are preferred by BIC."


def test_nobody_has_a_value():
    with pytest.raises(ValueError, match=r"\(silhouette\).*add a criterion that can judge one cluster"):
        select(KMeans(n_init=1), blobs(30, 2, 2, random_state=0)[0], [1], Silhouette(), random_state=0)


@pytest.mark.parametrize("p, relation", [(0.3, "is no deeper than"), (0.004, "is not significantly deeper than")])
def test_a_valley_that_is_deeper_but_not_surely_so(p, relation):
    chance = np.array([0.6, 0.8])
    seen = SeparationDetails(1, [1, 1], [np.nan, 2.2], [np.nan, 2.2], 2.5, chance, p, np.arange(3), np.zeros(3, int))
    text = " ".join(separation_in_words([OneCluster(), KMeans(2)], seen, 0))
    assert f"(2.20), {relation} in tables without clusters (0.70 ± 0.10; p = {p:.2g})" in text
    assert Separation().level < 0.004  # the level is stricter than the usual 5 %


@pytest.mark.slow_without_jit
def test_five_criteria_with_one_candidate_are_no_agreement():
    X, _ = blobs(90, 2, 3, random_state=0)
    verdict = select(KMeans(n_init=2), X, [3], Consensus(n_references=3), random_state=0).verdict
    assert verdict.startswith("Only 3 clusters were tried, so the criteria had no choice.")
    assert "agree on" not in verdict


@pytest.mark.parametrize(
    "votes, expected",
    [
        ({"a": 3, "b": 3}, "All 2 criteria agree on the number (a and b)"),
        ({"a": 3, "b": 3, "c": 2}, "2 of 3 criteria agree on the number (a and b); others differ (c: 2)"),
        ({"a": 3, "b": 4, "c": 2}, "The number is uncertain: a decides among criteria that disagree (b: 4, c: 2)"),
    ],
)
def test_who_is_for_the_number(votes, expected):
    assert votes_in_words(SimpleNamespace(n_clusters=3, votes=votes)) == expected
