"""Filled cells: their means, spreads and intervals, against the law that made the table."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.decomposition import Factorization


def drawn(seed, n=500, D=8, k=2):
    rng = np.random.default_rng(seed)
    U, noise = rng.normal(size=(k, D)), rng.uniform(0.4, 1.0, D)
    X = rng.normal(size=(n, k)) @ U + noise * rng.normal(size=(n, D)) + 3
    return X, rng.random(X.shape) < 0.2


def test_filled_numbers_are_a_regression_on_the_others_with_its_spread():
    X, holes = drawn(0)
    Y = np.where(holes, np.nan, X)
    model = Factorization(2, loss="squared", codes="normal").fit(Y)
    filled, spread = model.impute(Y, return_spread=True)
    units = np.array([group["unit"] for group in model.groups_])[0]
    covariance = model.components_.T @ model.components_ + np.diag(model.noise_ * units**2)
    for i in range(20):
        lost = holes[i]
        weights = covariance[np.ix_(lost, ~lost)] @ np.linalg.inv(covariance[np.ix_(~lost, ~lost)])
        mean = model.intercept_[lost] + weights @ (X[i] - model.intercept_)[~lost]
        left = covariance[np.ix_(lost, lost)] - weights @ covariance[np.ix_(~lost, lost)]
        np.testing.assert_allclose(filled[i, lost], mean, rtol=1e-8)
        np.testing.assert_allclose(spread[i, lost], np.sqrt(np.diagonal(left)), rtol=1e-8)
    assert (spread[~holes] == 0).all() and (filled[~holes] == X[~holes]).all()


@pytest.mark.parametrize("coverage", [0.5, 0.9])
def test_intervals_hold_their_share(coverage):
    inside = []
    for seed in range(6):
        X, holes = drawn(seed)
        Y = np.where(holes, np.nan, X)
        low, high = Factorization(4, random_state=0).fit(Y).impute_interval(Y, coverage)
        assert np.isnan(low[~holes]).all() and (low[holes] < high[holes]).all()
        inside.append(((low < X) & (high > X))[holes].mean())
    assert np.mean(inside) == pytest.approx(coverage, abs=0.03)


def test_intervals_of_numbers_with_a_long_tail_hold_their_share_too():
    X, holes = drawn(1)
    X = np.exp(X)
    Y = np.where(holes, np.nan, X)
    model = Factorization(3, random_state=0).fit(Y)
    assert [group["loss"].name for group in model.groups_] == ["logarithm"]
    low, high = model.impute_interval(Y)
    assert ((low < X) & (high > X))[holes].mean() == pytest.approx(0.9, abs=0.03)


def test_spreads_of_levels_are_how_often_they_are_wrong():
    rng = np.random.default_rng(0)
    z = rng.normal(size=3000)
    columns = [np.digitize(z + 0.7 * rng.normal(size=3000), [-0.8, 0.4]) for _ in range(4)]
    numbers = [z + 0.7 * rng.normal(size=3000) for _ in range(2)]
    X = np.column_stack([*columns, *numbers]).astype(float)
    holes = rng.random(X.shape) < 0.2
    Y = np.where(holes, np.nan, X)
    for kind in ("ordered", "category"):
        model = Factorization(2, kinds=[kind] * 4 + ["number"] * 2, random_state=0).fit(Y)
        filled, spread = model.impute(Y, return_spread=True)
        levels = holes[:, :4]
        wrong = (filled != X)[:, :4][levels].mean()
        assert spread[:, :4][levels].mean() == pytest.approx(wrong, abs=0.1)
        assert (spread[:, :4] >= 0).all() and (spread[:, :4] <= 1).all()


def test_components_that_tell_nothing_are_small_and_do_no_harm():
    X, hidden = drawn(3, n=1500)
    Y = np.where(hidden, np.nan, X)
    few, many = (Factorization(k, random_state=0).fit(Y) for k in (2, 8))
    sizes = np.sqrt((many.components_**2).sum(axis=1))
    assert (sizes[2:] < 0.1 * sizes[1]).all()
    wrong = [np.sqrt(np.mean((model.impute(Y) - X)[hidden] ** 2)) for model in (few, many)]
    assert wrong[1] < 1.01 * wrong[0]


def test_two_columns_of_many_that_go_together_tell_each_other():
    """The regression of one on the other leaves 84 % of its variance; a component that may vanish left 94 %."""
    left = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(300, 16))
        X[:, 1] = 0.4 * X[:, 0] + np.sqrt(0.84) * X[:, 1]
        hidden = np.zeros(X.shape, bool)
        hidden[::3, 0] = True
        Y = np.where(hidden, np.nan, X)
        predict = Factorization(4, random_state=0).fit(Y).impute(Y)
        left.append(np.mean((predict - X)[hidden] ** 2) / np.mean(X[hidden] ** 2))
    assert np.mean(left) < 0.9


@pytest.mark.parametrize("codes", ["auto", "ridge"])
def test_errors_of_hidden_cells_are_those_of_a_loop(codes):
    rng = np.random.default_rng(4)
    X, hidden = drawn(4, n=60)
    X = np.column_stack([X, rng.integers(0, 3, 60)])
    X[rng.random(X.shape) < 0.1] = np.nan
    hidden = np.column_stack([hidden, rng.random(60) < 0.2])
    weights = rng.integers(0, 3, 60).astype(float)
    model = Factorization(2, kinds=["number"] * 8 + ["category"], codes=codes).fit(X)
    found = model.held_out_errors(X, hidden, sample_weight=weights)
    seen = np.where(hidden, np.nan, X)
    m = model.transform(seen) @ model.components_ + model.intercept_
    for j in range(8):
        weight = np.where(np.isnan(seen[:, j]), 0.0, weights)
        known = np.nan_to_num(seen[:, j])
        mean = weight @ known / weight.sum()
        baseline = weight @ (known - mean) ** 2 / weight.sum()
        np.testing.assert_allclose(
            found[hidden[:, j], j], ((X[:, j] - m[:, j]) ** 2 / baseline)[hidden[:, j]], rtol=1e-6
        )
    assert np.isnan(found[~hidden]).all() and np.isfinite(found[hidden & ~np.isnan(X)]).all()


def test_what_a_sparse_table_does_not_store_is_no_error():
    X, hidden = drawn(5, n=40)
    stored = np.random.default_rng(0).random(X.shape) < 0.7
    table = csr_array(np.where(stored, X, 0.0))
    found = Factorization(2, unstored="missing").fit(table).held_out_errors(table, hidden)
    dense = np.where(stored, X, np.nan)
    np.testing.assert_allclose(found, Factorization(2).fit(dense).held_out_errors(dense, hidden), atol=0.05)
    assert np.isnan(found[hidden & ~stored]).all()


def test_a_level_that_occurs_in_hidden_cells_alone_is_an_error_and_no_fault():
    rng = np.random.default_rng(6)
    X = np.column_stack([rng.integers(0, 2, 50), rng.integers(0, 2, 50), rng.normal(size=50)]).astype(float)
    hidden = np.zeros(X.shape, bool)
    hidden[7] = [True, True, False]
    full = X.copy()
    full[7, :2] = 2.0
    model = Factorization(1, kinds=["category", "ordered", "number"]).fit(np.where(hidden, np.nan, full))
    assert (model.held_out_errors(full, hidden)[hidden] > 1).all()
    with pytest.raises(ValueError, match=r"indicators loss of column 0: it holds 2.0; whole numbers from 0 to 1"):
        model.transform(full)
