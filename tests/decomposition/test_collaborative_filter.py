"""Collaborative filtering against dense references, the normal equations, and the means of rows and columns."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone

import unmix
from unmix.algorithms.ratings.alternating import Factors, alternate, objective
from unmix.algorithms.ratings.observed import from_triples, observe, row_of_each
from unmix.algorithms.ratings.soft_impute import soft_impute
from unmix.decomposition import CollaborativeFilter


def ratings(n=120, d=80, k=2, known=0.3, noise=0.3, seed=0):
    rng = np.random.default_rng(seed)
    truth = (
        3 + 0.6 * rng.normal(size=(n, 1)) + 0.6 * rng.normal(size=d) + rng.normal(size=(n, k)) @ rng.normal(size=(k, d))
    )
    seen = rng.random((n, d)) < known
    return np.where(seen, truth + noise * rng.normal(size=(n, d)), np.nan), truth, seen


def test_alternating_steps_never_raise_the_objective_and_end_where_its_gradient_vanishes():
    X, _, _ = ratings(20, 15, known=0.5)
    weights = np.random.default_rng(1).uniform(0.5, 2, 20)
    known = observe(X)
    settings = {"penalty": 0.1, "offsets": True, "max_iter": 3000, "tol": 1e-15, "seed": 0}
    values = []
    with unmix.execution(threads=1):
        for steps in range(1, 8):
            values.append(alternate(known, weights, 2, **{**settings, "max_iter": steps}).objective)
        found = alternate(known, weights, 2, **settings).factors
    assert (np.diff(values) <= 1e-10 * values[0]).all()
    assert values[0] > 1.01 * values[-1]
    best = objective(known, weights, found, 0.1)
    rng = np.random.default_rng(2)
    for _ in range(20):  # every direction goes up, and only to second order
        step = Factors(0.0, *(1e-4 * rng.normal(size=part.shape) for part in found[1:]))
        up, down = (
            objective(known, weights, Factors(*(a + sign * b for a, b in zip(found, step, strict=True))), 0.1)
            for sign in (1, -1)
        )
        assert abs(up - down) < 1e-3 * (up + down - 2 * best) + 1e-9
        assert up + down > 2 * best


def test_filled_in_decomposition_is_the_one_with_dense_singular_values():
    X, _, seen = ratings(25, 18, known=0.6)
    known = observe(X - np.nanmean(X))
    shrink, filled = 1.5, np.where(seen, X - np.nanmean(X), 0.0)
    M = np.zeros_like(filled)
    for _ in range(4000):  # the definition, with all singular vectors of the filled table
        left, values, right = np.linalg.svd(np.where(seen, filled, M), full_matrices=False)
        M = left * np.maximum(values - shrink, 0) @ right
    got = soft_impute(known, known.by_row.values, 18, shrink=shrink, max_iter=4000, tol=1e-12, seed=0)
    np.testing.assert_allclose(got.left * got.values @ got.right.T, M, atol=1e-7)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("method", ["als", "svd"])
def test_held_out_ratings_are_predicted_better_than_by_means(method):
    X, truth, seen = ratings(200, 150, known=0.25)
    hidden = seen & (np.random.default_rng(3).random(seen.shape) < 0.2)
    train = np.where(hidden, np.nan, X)
    model = CollaborativeFilter(2, method=method, regularization="auto", random_state=0).fit(train)
    mean = np.nanmean(train)
    by_means = np.nanmean(train, 1)[:, None] + np.nanmean(train, 0) - mean

    def error(prediction):
        return np.sqrt(np.mean((prediction - X)[hidden] ** 2))

    assert error(model.predict(train)) < 0.5 * error(by_means)
    # the noise itself is 0.3; "svd" does not fit offsets again once it knows the rest
    assert error(model.predict(train)) < {"als": 1.2, "svd": 1.6}[method] * error(truth)


def test_without_gaps_and_penalty_it_is_the_best_low_rank_table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 12))
    singular = np.linalg.svd(X, compute_uv=False)
    for method in ("als", "svd"):
        model = CollaborativeFilter(
            3, method=method, regularization=0.0, offsets=False, tol=1e-13, max_iter=20000, random_state=0
        )
        rest = np.linalg.norm(X - model.fit(X).predict(X)) ** 2
        assert rest == pytest.approx((singular[3:] ** 2).sum(), rel=1e-6)
        np.testing.assert_allclose(
            np.linalg.norm(
                model.components_ @ model.components_.T - np.diag(np.diag(model.components_ @ model.components_.T))
            ),
            0,
            atol=1e-8,
        )


def test_a_list_of_ratings_is_the_table_with_names():
    X, _, seen = ratings(30, 20)
    rows, columns = np.nonzero(seen)
    names, titles = np.array([f"user {i:02}" for i in range(30)]), np.array([f"film {j:02}" for j in range(20)])
    listed = CollaborativeFilter(2, random_state=0).fit_ratings(names[rows], titles[columns], X[rows, columns])
    table = CollaborativeFilter(2, random_state=0).fit(X)
    stored = CollaborativeFilter(2, random_state=0).fit(csr_array((X[rows, columns], (rows, columns)), shape=X.shape))
    for other in (table, stored):
        np.testing.assert_allclose(listed.components_, other.components_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(
        listed.predict(names[rows], titles[columns]), table.predict(X)[rows, columns], rtol=1e-6, atol=1e-8
    )
    best = listed.recommend("user 03", 4)
    assert [choice.item for choice in best] == [titles[choice.item] for choice in table.recommend(3, 4)]
    assert not {choice.item for choice in best} & set(titles[columns[rows == 3]])
    assert [choice.item for choice in table.recommend(X[3], 4)] == [choice.item for choice in table.recommend(3, 4)]
    assert listed.concepts(2)[0].high[0] in titles


def test_a_stored_zero_is_a_rating():
    table = csr_array((np.array([0.0, 1.0, 1.0]), ([0, 0, 1], [0, 1, 1])), shape=(2, 3))
    assert len(observe(table).by_row.values) == 3


def test_saved_and_loaded_it_recommends_the_same(tmp_path):
    X, _, _ = ratings(30, 20)
    model = CollaborativeFilter(2, random_state=0).fit(X)
    model.save(tmp_path / "m.unmix")
    assert unmix.load(tmp_path / "m.unmix").recommend(5) == model.recommend(5)


def test_entries_are_ordered_by_row_and_column():
    known = from_triples(np.array([1, 0, 1]), np.array([0, 2, 1]), np.array([1.0, 2.0, 3.0]), (2, 3))
    assert known.by_row.values.tolist() == [2, 1, 3] and row_of_each(known.by_row).tolist() == [0, 1, 1]
    assert known.by_column.values.tolist() == [1, 3, 2]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("size", [1e300, 1e-300, 37.0])
@pytest.mark.parametrize("setting", [{}, {"method": "svd"}, {"offsets": False}, {"regularization": "auto"}], ids=str)
def test_ratings_in_another_unit_give_the_same_model_in_that_unit(setting, size):
    X, _, _ = ratings(20, 15, known=0.5)
    make = CollaborativeFilter(2, tol=1e-4, random_state=0).set_params(**setting)
    plain, scaled = clone(make).fit(X), clone(make).fit(X * size)
    np.testing.assert_allclose(scaled.predict(X * size) / size, plain.predict(X), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(scaled.transform(X * size) / np.sqrt(size), plain.transform(X), rtol=1e-6, atol=1e-8)
    assert scaled.regularization_ == plain.regularization_


def test_ratings_that_are_all_equal_are_predicted_everywhere():
    X = np.full((4, 3), 0.1)
    X[0, 0] = np.nan
    for value in (1.0, 1e300, 1e-300):
        np.testing.assert_allclose(
            CollaborativeFilter(1, random_state=0).fit(X * value).predict(X * value), 0.1 * value
        )
    assert not CollaborativeFilter(1, random_state=0).fit(np.zeros((4, 3))).predict(np.zeros((2, 3))).any()


@pytest.mark.slow_without_jit
def test_the_model_is_at_a_least_value_of_the_objective_in_units_of_the_data():
    X, _, seen = ratings(20, 15, known=0.5)
    X = 40 * X
    model = CollaborativeFilter(2, tol=1e-15, max_iter=3000, random_state=0).fit(X)
    spread = np.nanstd(X)

    def value(b, c, Z, V):
        error = np.where(seen, X - np.nanmean(X) - b[:, None] - c - Z @ V, 0.0)
        users = seen.sum(1) @ (b**2 + spread * (Z**2).sum(1))
        return (error**2).sum() + 0.1 * (users + seen.sum(0) @ (c**2 + spread * (V**2).sum(0)))

    found = [model.user_offsets_, model.item_offsets_, model.codes_, model.components_]
    best, rng = value(*found), np.random.default_rng(2)
    for _ in range(20):  # every direction goes up, and only to second order
        step = [1e-2 * rng.normal(size=part.shape) for part in found]
        up, down = (value(*(a + sign * b for a, b in zip(found, step, strict=True))) for sign in (1, -1))
        assert abs(up - down) < 1e-2 * (up + down - 2 * best)
        assert up + down > 2 * best


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda m: m.fit_ratings(["a", "a"], ["x", "x"], [1, 2]), "more than once"),
        (lambda m: m.fit_ratings(["a", "b"], ["x", "y"], [1, np.nan]), r"ratings\[1\]"),
        (lambda m: m.fit_ratings(["a"], ["x", "y"], [1, 2]), "users has shape"),
        (lambda m: m.fit_ratings(["a", "b"], ["x", "y"], [1, 2]).predict(["c"], ["x"]), "'c' is not in the ratings"),
        (lambda m: m.fit(np.full((3, 3), np.nan)), "no rating is known|only NaN|no value"),
        (lambda m: m.set_params(method="knn").fit(np.eye(3)), "method='knn'"),
        (lambda m: m.set_params(regularization="much").fit(np.eye(3)), "regularization='much'"),
        (lambda m: m.fit(np.eye(3)).recommend(7), "user 7 is not a number from 0 to 2"),
    ],
)
def test_what_cannot_be_is_said(call, message):
    with pytest.raises(ValueError, match=message):
        call(CollaborativeFilter(1, random_state=0))


def small_table(seed=0, n=30, d=8, known=0.7):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) @ rng.normal(size=(2, d)) + rng.normal(size=n)[:, None] + rng.normal(size=d) + 3
    X[rng.random(X.shape) > known] = np.nan
    return X


@pytest.mark.parametrize("method", ["als", "svd"])
def test_recommendations_are_the_largest_predictions(method):
    X = small_table()
    model = CollaborativeFilter(2, method=method, random_state=0).fit(X)
    for user in (0, 7):
        told = model.predict([user] * X.shape[1], range(X.shape[1]))
        order = [i for i in np.argsort(-told) if np.isnan(X[user, i])]
        for found in (model.recommend(user), model.recommend(X[user])):
            assert [choice.item for choice in found] == order
            np.testing.assert_allclose([choice.rating for choice in found], told[order], rtol=1e-6)
        everything = model.recommend(user, 3, known=True)
        assert [choice.item for choice in everything] == np.argsort(-told)[:3].tolist()


@pytest.mark.parametrize("method", ["als", "svd"])
def test_concepts_are_orthogonal_strongest_first_and_name_both_ends(method):
    X = small_table(1)
    model = CollaborativeFilter(2, method=method, regularization=0.02, random_state=0).fit(X)
    U, concepts = model.components_, model.concepts(2)
    assert abs(U[0] @ U[1]) < 1e-8 * np.linalg.norm(U[0]) * np.linalg.norm(U[1])
    assert np.linalg.norm(U[0]) >= np.linalg.norm(U[1])
    for loadings, codes, concept in zip(U, model.codes_.T, concepts, strict=True):
        assert loadings[np.abs(loadings).argmax()] > 0
        assert concept.strength == pytest.approx(np.linalg.norm(np.outer(codes, loadings)))
        assert concept.high == np.argsort(-loadings)[:2].tolist()
        assert concept.low == [i for i in np.argsort(loadings)[:2] if loadings[i] < 0]
    one_sided = CollaborativeFilter(1, offsets=False, random_state=0).fit(np.outer([1.0, 2, 3], [3.0, 2, 1]))
    assert one_sided.concepts()[0].low == []


@pytest.mark.parametrize("method", ["als", "svd"])
def test_a_user_of_weight_two_is_two_users(method):
    X = small_table(2)
    weights = np.random.default_rng(0).integers(1, 3, len(X))
    model = CollaborativeFilter(2, method=method, random_state=0, tol=1e-10, max_iter=5000)
    repeated = model.fit(np.repeat(X, weights, axis=0)).components_
    np.testing.assert_allclose(model.fit(X, sample_weight=weights).components_, repeated, atol=1e-6)
    rows, columns = np.nonzero(~np.isnan(X))
    model.fit_ratings(rows, columns, X[rows, columns], sample_weight=dict(enumerate(weights.tolist())))
    np.testing.assert_allclose(model.components_, repeated, atol=1e-6)


def test_without_penalty_what_the_ratings_do_not_tell_is_zero():
    """One rating and two concepts: the system is singular, and the answer fits the rating and stays finite."""
    X = np.array([[1.0, 2, 3], [2, 4, 6], [np.nan, 5, np.nan], [np.nan, np.nan, np.nan]])
    model = CollaborativeFilter(2, offsets=False, regularization=0, random_state=0, tol=0, max_iter=30).fit(X)
    told = model.predict(X)
    assert np.isfinite(told).all()
    np.testing.assert_allclose(told[:2], X[:2], atol=1e-6)
    assert told[2, 1] == pytest.approx(5)
    assert not told[3].any()


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("k, share", [(1, 0.5), (2, 0.4)])
def test_few_components_do_not_end_in_poor_minima(k, share):
    """One table in fourteen ended with several times the error, from loadings drawn at random."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        truth, known = rng.normal(size=(40, k)) @ rng.normal(size=(k, 12)), rng.random((40, 12)) < share
        known[:, 0] |= ~known.any(axis=1)
        rows, columns = np.nonzero(~known)
        models = [CollaborativeFilter(j, random_state=0).fit(np.where(known, truth, np.nan)) for j in (k, k + 3)]
        errors = [np.sqrt(np.mean((model.predict(rows, columns) - truth[rows, columns]) ** 2)) for model in models]
        assert errors[0] < 1.5 * errors[1], "components to spare are no better than those that are there"
