"""The distance between clusterings against all permutations written out."""

from itertools import permutations

import numpy as np
import pytest

from unmix.validation import clustering_distance
from unmix.validation.evidence.resampled.distance import match_labels


def by_permutations(a, b, weight):
    """The definition: try every one-to-one map of labels, padded to the larger number of clusters."""
    k = max(a.max(), b.max()) + 1
    return min(weight[np.array(p)[a] != b].sum() for p in permutations(range(k))) / weight.sum()


@pytest.mark.parametrize("seed", range(30))
def test_equals_brute_force(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(rng.integers(1, 6), size=25), rng.integers(rng.integers(1, 6), size=25)
    weight = rng.uniform(size=25) if seed % 2 else np.ones(25)
    given = weight if seed % 2 else None
    assert clustering_distance(a, b, sample_weight=given) == pytest.approx(by_permutations(a, b, weight), abs=1e-12)


def test_names_of_clusters_do_not_count():
    a = np.array([0, 0, 1, 2, 2, 1])
    assert clustering_distance(a, np.array(["x", "x", "z", "y", "y", "z"])) == 0.0
    assert clustering_distance(a, a + 40) == 0.0


def test_is_a_metric():
    rng = np.random.default_rng(0)
    for _ in range(50):
        a, b, c = (rng.integers(4, size=30) for _ in range(3))
        assert clustering_distance(a, b) == clustering_distance(b, a)
        assert clustering_distance(a, c) <= clustering_distance(a, b) + clustering_distance(b, c) + 1e-12


def test_a_cluster_without_partner_disagrees_on_all_its_objects():
    assert clustering_distance([0, 0, 0, 0], [0, 0, 1, 2]) == 0.5


@pytest.mark.parametrize(
    "a, b",
    [
        ([0, 0, 1, -1, 1], [1, 1, 0, 0, -1]),
        ([0.0, 0.0, 1.0, np.nan, 1.0], [1.0, 1.0, 0.0, 0.0, np.nan]),
        (["p", "p", "q", None, "q"], ["q", "q", "p", "p", None]),
    ],
)
def test_only_objects_in_both_count(a, b):
    assert clustering_distance(np.array(a), np.array(b)) == 0.0
    assert np.isnan(clustering_distance([-1, 0], [0, -1]))


def test_weight_two_is_the_row_twice_and_weight_zero_is_no_row():
    a, b = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 1, 0])
    w = np.array([2, 1, 1, 3, 0])
    assert clustering_distance(a, b, sample_weight=w) == clustering_distance(np.repeat(a, w), np.repeat(b, w))


def test_matched_labels_attain_the_distance():
    rng = np.random.default_rng(3)
    for _ in range(20):
        a, b = rng.integers(5, size=40), rng.integers(3, size=40)
        assert np.mean(match_labels(a, b) != b) == pytest.approx(clustering_distance(a, b))


@pytest.mark.parametrize("weight", [[1, 2], [1, 1, -1], [1, np.nan, 1]])
def test_bad_input_is_named(weight):
    with pytest.raises(ValueError, match="same length"):
        clustering_distance([0, 1], [0, 1, 2])
    with pytest.raises(ValueError, match="3 finite weights"):
        clustering_distance([0, 1, 2], [0, 1, 2], sample_weight=weight)
