"""The verdict on tables without clusters and with clear ones, and the parts it is made of."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

from unmix import cluster
from unmix.datasets import blobs, gaussian, skewed, student_t, uniform
from unmix.density import GaussianMixture
from unmix.validation import Separation, select, uniform_reference
from unmix.validation.criteria.separation import nearest_size
from unmix.validation.evidence.references.reference import undo_rounding

NULLS = {
    "round": lambda n, d, seed: gaussian(n, d, random_state=seed),
    "correlated": lambda n, d, seed: gaussian(n, d, correlated=True, random_state=seed),
    "uniform": lambda n, d, seed: uniform(n, d, random_state=seed),
    "heavy tails": lambda n, d, seed: student_t(n, d, random_state=seed),
    "skewed": lambda n, d, seed: skewed(n, d, random_state=seed),
}


def number(X, max_k=6, estimator=None, **settings):
    estimator = estimator or cluster.KMeans()
    selection = select(estimator, X, range(1, max_k + 1), Separation(n_references=12, **settings), random_state=0)
    return selection.sizes[selection.best_index]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("kind", NULLS)
@pytest.mark.parametrize("n, d", [(100, 2), (300, 2), (200, 8)])
def test_no_clusters_where_there_are_none(kind, n, d):
    assert number(NULLS[kind](n, d, 5)) == 1


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("sizes", ["equal", "unequal"])
@pytest.mark.parametrize("k, d", [(2, 10), (3, 2), (5, 3), (8, 2)])
def test_the_number_of_clear_clusters(k, d, sizes):
    X, _ = blobs(240, d, k, sizes=sizes, random_state=k)
    assert number(X, max_k=9) == k


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_mixtures_too():
    X, _ = blobs(200, 2, 3, random_state=0)
    assert number(X, 5, GaussianMixture()) == 3
    assert number(student_t(300, 2, random_state=0), 5, GaussianMixture(reg_covar=1e-3)) == 1


@pytest.mark.slow_without_jit
def test_clusters_a_model_cannot_draw_are_counted_and_the_verdict_says_so():
    rng = np.random.default_rng(0)
    bars = rng.uniform(size=(600, 2)) * [20, 1] + np.where(np.arange(600) % 2, 0, 4)[:, None] * [0, 1]
    selection = select(KMeans(n_init=5), bars, range(1, 11), Separation(), random_state=0)
    assert selection.best_params == {"n_clusters": 2}
    assert "do not follow these groups" in selection.verdict


@pytest.mark.slow_without_jit
def test_rounded_readings_make_no_clusters():
    grades = np.round(gaussian(300, 1, random_state=0) * 1.2)
    assert number(grades, 5) == 1
    both = np.round(np.vstack([gaussian(150, 2, random_state=0), gaussian(150, 2, random_state=1) + 9]), 1)
    assert number(both, 5) == 2


def test_undone_rounding_stays_in_its_cell():
    X = np.round(gaussian(200, 1, random_state=0), 1)
    smooth = undo_rounding(X, np.random.default_rng(0))
    assert np.array_equal(np.round(smooth, 1) + 0.0, X + 0.0) and len(np.unique(smooth)) == 200
    fine = gaussian(200, 1, random_state=0)
    assert np.array_equal(undo_rounding(fine, np.random.default_rng(0)), fine)


def test_reference_has_mean_and_covariance_of_the_data_and_no_more():
    X = gaussian(4000, 3, correlated=True, random_state=0) + 7
    table = uniform_reference(X)(np.random.default_rng(0))
    assert np.allclose(table.mean(axis=0), X.mean(axis=0), atol=0.2)
    assert np.allclose(np.cov(table.T), np.cov(X.T), rtol=0.1, atol=0.15)
    assert uniform_reference(X.astype(np.float32))(np.random.default_rng(0)).dtype == np.float32


@pytest.mark.slow_without_jit
def test_order_of_rows_does_not_count():
    X, _ = blobs(150, 2, 3, separation=4, random_state=0)
    order = np.random.default_rng(1).permutation(150)
    estimator, criterion = KMeans(init=X[:3], n_init=1), Separation(n_references=4)
    seen = [select(estimator, rows, [3], criterion, random_state=0).details["separation"] for rows in (X, X[order])]
    assert seen[0].deepest == pytest.approx(seen[1].deepest) and np.array_equal(seen[0].chance, seen[1].chance)


@pytest.mark.slow_without_jit
def test_values_are_in_units_of_chance():
    X, _ = blobs(150, 2, 3, random_state=0)
    selection = select(KMeans(n_init=3), X, [1, 3, 5], Separation(n_references=8), random_state=0)
    one, three, five = (row["value"] for row in selection.table)
    assert np.isnan(one) and three > 1 > five
    details = selection.details["separation"]
    assert details.n_groups == 3 and details.p_value < 1e-6 and len(details.chance) == 8
    assert details.shallowest[1] / details.level_depth == pytest.approx(three)


@pytest.mark.slow_without_jit
def test_own_reference_says_what_chance_means():
    """Two independent yes/no columns: four heaps by construction, none beyond chance."""
    rng = np.random.default_rng(0)
    X = rng.integers(2, size=(200, 2)) * 10.0 + rng.standard_normal((200, 2))

    def shuffled(data):
        return lambda rng: np.column_stack([rng.permutation(column) for column in data.T])

    assert number(X, 5) == 4
    assert number(X, 5, reference=shuffled) == 1


@pytest.mark.parametrize("wanted, chosen", [(1, 1), (2, 3), (3, 3), (4, 3), (5, 6), (9, 6)])
def test_several_clusters_are_never_taken_for_one(wanted, chosen):
    sizes = [1, 6, 3]
    assert sizes[nearest_size(sizes, wanted)] == chosen
