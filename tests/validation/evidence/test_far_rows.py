"""A few rows far out decide no scale and no verdict; what is not few and far is left alone."""

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering

import unmix
from tests.relations.tables import groups
from unmix.cluster import KMeans
from unmix.validation import BIC, Consensus, Stability, select
from unmix.validation.evidence.far_rows import far_rows


def with_far_row(X, size):
    return np.vstack([X[:50], size * (1.0 + np.arange(X.shape[1]))[None], X[50:]])


def test_far_rows_are_found_on_either_side_in_any_unit():
    X = np.random.default_rng(0).normal(size=(200, 3))
    assert not far_rows(X).any()
    X[[7, 11], 1], X[[3, 4, 5], 2] = [1e5, -1e5], [1e3, 1e6, 1e12]
    for unit in (1.0, 1e-200, 1e200):
        assert np.flatnonzero(far_rows(unit * X)).tolist() == [3, 4, 5, 7, 11]


@pytest.mark.parametrize(
    "column",
    [
        np.r_[np.zeros(197), np.ones(3)],  # a rare level
        np.r_[np.linspace(0, 1, 196), np.full(4, 1e6)],  # four rows are a group
        np.r_[np.linspace(0, 1, 198), 3.5, np.nan],  # not that far, and a gap is no value
        np.full(200, np.nan),
        np.full(200, 7.0),
    ],
)
def test_what_is_not_few_and_far_stays(column):
    assert not far_rows(np.column_stack([column, np.arange(200.0)])).any()


def test_many_far_rows_are_part_of_the_table():
    X = np.random.default_rng(0).normal(size=(100, 8))
    X[np.arange(8), np.arange(8)] = 1e9
    assert not far_rows(X).any()


@pytest.mark.parametrize("size", [100.0, 1e6, 1e12])
def test_a_far_row_changes_no_verdict(size):
    X = groups(120, np.random.default_rng(1))
    plain, other = (
        select(KMeans(random_state=0), table, range(1, 6), [Consensus(), Stability(), BIC()], random_state=0)
        for table in (X, with_far_row(X, size))
    )
    assert other.best_params == plain.best_params == {"n_clusters": 3}
    for name in ("consensus", "BIC"):
        a, b = ([score.value for score in found.evaluations[name].scores] for found in (plain, other))
        np.testing.assert_allclose(a, b, rtol=1e-9)
    labels = other.best_estimator.labels_
    assert len(labels) == 121
    np.testing.assert_array_equal(np.delete(labels, 50), plain.best_estimator.labels_)
    assert "Row 50 lies far from all others" in other.verdict
    assert "far from all others" not in plain.verdict


def test_a_model_without_weights_says_what_to_do():
    X = with_far_row(groups(120, np.random.default_rng(1)), 1e6)
    found = select(AgglomerativeClustering(), X, range(1, 5), [BIC()], random_state=0)
    assert "takes no weights, so drop what should not count" in found.verdict


@pytest.mark.slow_without_jit
def test_a_slip_of_the_keyboard_changes_no_exploration():
    X = groups(150, np.random.default_rng(2))
    X = X[np.lexsort(X.T)]
    plain, other = (
        unmix.explore({name: table[:, j] for j, name in enumerate("abcd")}) for table in (X, with_far_row(X, 1e7))
    )
    assert other.selection.chosen_k == plain.selection.chosen_k == 3
    np.testing.assert_array_equal(np.delete(other.labels, 50), plain.labels)
