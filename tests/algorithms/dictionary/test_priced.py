"""Dictionaries at a price: the objective falls to a point where neither codes nor atoms can lower it."""

import numpy as np
import pytest
from sklearn.decomposition import DictionaryLearning as Peer
from sklearn.decomposition import sparse_encode

from unmix.algorithms.dictionary.priced import leading_directions, positive_parts
from unmix.decomposition import DictionaryLearning

ALPHA = 0.4


def rows(n=80, d=7, seed=0):
    rng = np.random.default_rng(seed)
    codes = rng.normal(size=(n, 3)) * (rng.random((n, 3)) < 0.6)
    return codes @ rng.normal(size=(3, d)) + rng.normal(size=(n, d)) / 4


def objective(X, U, alpha=ALPHA, weights=None):
    """By scikit-learn's codes."""
    Z = sparse_encode(X, U, algorithm="lasso_lars", alpha=alpha)
    costs = 0.5 * ((X - Z @ U) ** 2).sum(axis=1) + alpha * np.abs(Z).sum(axis=1)
    return costs.sum() if weights is None else weights @ costs


def learner(k=6, **options):
    return DictionaryLearning(k, alpha=ALPHA, transform_algorithm="lasso_cd", random_state=0, **options)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("k", [4, 12])
def test_the_objective_falls_to_that_of_the_peer_or_below(k):
    X = rows()
    model = learner(k, max_iter=60).fit(X)
    assert (np.diff(model.error_) <= 1e-9 * model.error_[0]).all() and len(model.error_) == model.n_iter_
    Z, U = model.transform(X), model.components_
    assert model.error_[-1] == pytest.approx(objective(X, U), rel=1e-3)
    np.testing.assert_allclose(np.linalg.norm(U, axis=1), 1)
    left = np.linalg.norm(X - Z @ U)
    assert model.reconstruction_err_ == pytest.approx(left, rel=1e-2)
    peer = Peer(k, alpha=ALPHA, max_iter=60, random_state=0).fit(X)
    assert objective(X, U) < 1.02 * objective(X, peer.components_)


@pytest.mark.slow_without_jit
def test_at_the_end_no_atom_can_be_turned():
    X = rows()
    model = learner(5, tol=1e-14, max_iter=2000).fit(X)
    Z, U = model.transform(X), model.components_
    gradient = Z.T @ (X - Z @ U)
    across = gradient - (gradient * U).sum(axis=1, keepdims=True) * U
    np.testing.assert_allclose(across, 0, atol=1e-4 * np.abs(gradient).max())


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("positive_code", [False, True])
@pytest.mark.parametrize("positive_dict", [False, True])
def test_signs_are_kept(positive_code, positive_dict):
    X = rows() + 0.3
    model = learner(4, positive_code=positive_code, positive_dict=positive_dict, max_iter=40).fit(X)
    Z, U = model.transform(X), model.components_
    assert ((Z < 0).any(), (U < 0).any()) == (not positive_code, not positive_dict)
    slack = (X - Z @ U) @ U.T  # of a lasso: at most the price, and the price itself where a code is not 0
    assert (slack <= ALPHA + 1e-9).all()
    np.testing.assert_allclose(slack[Z > 0], ALPHA)
    assert (np.diff(model.error_) <= 1e-9 * model.error_[0]).all()


@pytest.mark.slow_without_jit
def test_weights_are_copies_and_units_do_not_matter():
    X = rows(40)
    weights = np.random.default_rng(1).integers(0, 3, len(X))
    weighted = learner(4, max_iter=30).fit(X, sample_weight=weights)
    repeated = learner(4, max_iter=30).fit(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(weighted.components_, repeated.components_, atol=1e-6)
    np.testing.assert_allclose(weighted.error_, repeated.error_, rtol=1e-8)
    for unit in (2.0**600, 2.0**-600):
        moved = DictionaryLearning(4, alpha=ALPHA * unit, max_iter=30, random_state=0).fit(X * unit)
        usual = DictionaryLearning(4, alpha=ALPHA, max_iter=30, random_state=0).fit(X)
        np.testing.assert_allclose(moved.components_, usual.components_, atol=1e-9)
        assert moved.reconstruction_err_ / unit == pytest.approx(usual.reconstruction_err_)


def test_every_row_has_an_atom_where_there_are_enough():
    X = np.random.default_rng(0).normal(size=(6, 5)) * 3
    model = DictionaryLearning(8, random_state=0).fit(X)
    cosines = np.abs(X @ model.components_.T) / np.linalg.norm(X, axis=1)[:, None]
    np.testing.assert_allclose(cosines.max(axis=1), 1, atol=1e-6)
    lengths = np.linalg.norm(X, axis=1)
    assert model.error_[-1] == pytest.approx((lengths - 0.5).sum(), rel=1e-6)  # alpha ||x|| - alpha² / 2 each


def test_callbacks_come_every_fifth_round_and_given_atoms_keep_their_places():
    X, told = rows(30), []
    start = np.random.default_rng(2).normal(size=(3, 7))
    model = learner(3, dict_init=start, code_init=np.zeros((30, 3)), callback=told.append, max_iter=12, tol=0).fit(X)
    assert [some["ii"] for some in told] == [0, 5, 10]
    assert told[0]["code"].shape == (30, 3) and told[-1]["dictionary"].shape == (3, 7)
    again = learner(3, dict_init=-model.components_[::-1], max_iter=1).fit(X)
    assert ((again.components_ * -model.components_[::-1]).sum(axis=1) > 0.9).all()


def test_nan_is_for_the_other_algorithm():
    X = rows(30)
    X[3, 2] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        DictionaryLearning(3, missing="ignore").fit(X)
    given = {"max_iter": 5, "missing": "ignore", "random_state": 0}
    filled = DictionaryLearning(3, fit_algorithm="ksvd", **given).fit(X)
    assert np.isfinite(filled.inverse_transform(filled.transform(X))).all()


def test_first_atoms_are_singular_vectors():
    X = rows(20, 5)
    _, _, vectors = np.linalg.svd(X)
    for table in (X, X[:4]):
        found = leading_directions(table, None, np.eye(3, 5))
        _, _, vectors = np.linalg.svd(table)
        np.testing.assert_allclose(np.abs((found * vectors[:3]).sum(axis=1)), 1)
    few = leading_directions(np.outer(np.arange(6.0), np.ones(3)), None, np.eye(3))
    np.testing.assert_allclose(few[0], 3**-0.5)
    np.testing.assert_array_equal(few[1:], np.eye(3)[1:])
    np.testing.assert_allclose(positive_parts(np.array([[0.6, -0.8], [1.0, 0.0]])), [[0, 1], [1, 0]])
