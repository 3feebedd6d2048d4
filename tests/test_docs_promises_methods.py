"""More sentences of pages of methods that promise something, each tried as a reader would."""

import numpy as np
import pytest

from unmix.cluster import KMeans, MiniBatchKMeans
from unmix.decomposition import PCA, CollaborativeFilter, SparseCoder
from unmix.density import Categorical
from unmix.embedding import SelfOrganizingMap


def test_the_objective_of_ratings_never_rises():
    rng = np.random.default_rng(0)
    ratings = rng.normal(size=(60, 3)) @ rng.normal(size=(3, 30)) + 0.1 * rng.normal(size=(60, 30))
    ratings[rng.random(ratings.shape) < 0.7] = np.nan
    trace = CollaborativeFilter(3, random_state=0).fit(ratings).trace_
    costs = [row["objective"] for row in trace if "objective" in row]
    assert len(costs) > 3 and np.diff(costs).max() <= 1e-12 * costs[0]


def test_a_category_never_seen_has_probability_0_unless_it_is_named_and_counted():
    seen = np.array(["a", "a", "b"])[:, None]
    assert Categorical().fit(seen).score_samples([["c"]])[0] == -np.inf
    named = Categorical(categories=[["a", "b", "c"]], pseudo_count=1.0).fit(seen)
    assert np.isclose(named.score_samples([["c"]])[0], np.log(1 / 6))


def test_an_atom_of_zeros_is_never_taken_and_of_repeated_ones_the_first():
    rng = np.random.default_rng(0)
    atoms = rng.normal(size=(6, 12))
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    atoms[2], atoms[5] = 0, atoms[1]
    X = rng.normal(size=(20, 6)) @ atoms
    for algorithm in ("omp", "lasso_lars"):
        codes = SparseCoder(atoms, transform_algorithm=algorithm).fit_transform(X)
        assert not codes[:, [2, 5]].any() and codes[:, 1].any()


def test_the_error_of_reconstructing_a_row_never_rises_with_the_rank():
    rng = np.random.default_rng(0)
    X, new = rng.normal(size=(80, 7)), rng.normal(size=(30, 7))
    errors = []
    for rank in range(1, 8):
        model = PCA(rank).fit(X)
        errors.append(((new - model.inverse_transform(model.transform(new))) ** 2).sum(axis=1))
    assert np.diff(errors, axis=0).max() <= 1e-12


def test_nodes_of_a_map_that_was_fitted_by_exact_winners_are_the_nearest_ones():
    X = np.random.default_rng(0).normal(size=(200, 3))
    model = SelfOrganizingMap((4, 4), winner="exact", n_epochs=5, random_state=0).fit(X)
    nodes = model.cluster_centers_.reshape(16, 3)
    nearest = ((X[:, None] - nodes) ** 2).sum(axis=2).argmin(axis=1)
    assert np.array_equal(model.predict(X), nearest) and np.array_equal(model.labels_, nearest)


@pytest.mark.parametrize("model", [KMeans, MiniBatchKMeans])
def test_a_row_of_weight_0_is_not_there(model):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 2)) + 6 * rng.integers(0, 3, size=(150, 1))
    weights = np.ones(151)
    weights[-1] = 0
    far = np.vstack([X, [[1e6, 1e6]]])
    found = model(3, random_state=0).fit(far, sample_weight=weights)
    assert np.abs(found.cluster_centers_).max() < 100
