"""The annealing path: groups split and never mix, in the order of a hierarchy that can be cut by hand."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from unmix.studio.children.annealed import cuts, path_of


def test_a_hierarchy_is_cut_from_the_top():
    """Four leaves; ((0, 1), (2, 3)), where 2 and 3 part before 0 and 1 do."""
    leaf = np.array([0, 0, 1, 2, 2, 2, 3])
    children, seen = np.array([[0, 1], [2, 3], [4, 5]]), np.array([1.0, 2.0, 8.0])
    found = [(labels.tolist(), temperature) for labels, temperature in cuts(leaf, children, seen, 4)]
    assert found == [
        ([0, 0, 0, 0, 0, 0, 0], float("inf")),
        ([1, 1, 1, 0, 0, 0, 0], 8.0),  # the larger part keeps the label
        ([1, 1, 1, 0, 0, 0, 2], 2.0),
        ([1, 1, 3, 0, 0, 0, 2], 1.0),
    ]


@pytest.mark.slow_without_jit
def test_groups_far_apart_part_first_and_none_mixes_again():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 40)
    X = np.array([[0, 0], [1.5, 0], [9, 1]])[truth] + 0.3 * rng.normal(size=(120, 2))
    path = path_of(X, ["a", "b"], 0)
    assert [cut["k"] for cut in path] == list(range(1, len(path) + 1))
    warm = [cut["temperature"] for cut in path[1:]]
    assert path[0]["temperature"] is None and warm[0] == 1.0 and warm == sorted(warm, reverse=True)
    two, three = (np.array(path[i]["labels"]) for i in (1, 2))
    assert len(set(zip(two, truth == 2))) == 2  # the far group against the two that are near each other
    # A row between two groups may end with one and descend from the other: of 120 rows no more than a few.
    assert adjusted_rand_score(three, truth) > 0.9
    for coarse, fine in pairwise(path):
        assert len(set(zip(coarse["labels"], fine["labels"]))) == fine["k"]
        assert fine["sizes"] == np.bincount(fine["labels"]).tolist() and len(fine["names"]) == fine["k"]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(
    "X", [np.zeros((6, 2)), np.arange(4.0)[:, None]], ids=["all rows alike", "fewer rows than groups"]
)
def test_few_different_rows_have_a_short_path(X):
    path = path_of(X, ["a", "b"][: X.shape[1]], 0)
    assert path[-1]["k"] <= len(np.unique(X, axis=0))
    assert path[0]["labels"] == [0] * len(X)
