"""Factorization with its default codes: weights, kinds, storage, selection."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

import unmix
from unmix.decomposition import Factorization
from unmix.validation import select

LEVELS = ["bad", "fair", "good"]


def frame(seed=0, n=150, holes=0.1, related=True):
    """Numbers with and without a tail, a category, truth values, ordered levels, days; all of one cause, or of none."""
    rng = np.random.default_rng(seed)

    def cause():
        return z + 0.5 * rng.normal(size=n) if related else rng.normal(size=n)

    z = rng.normal(size=n)
    table = pl.DataFrame({
        "age": 50 + 9 * cause(),
        "income": np.exp(cause()),
        "town": np.array(["a", "b", "c"])[np.digitize(cause(), [-0.8, 0.4])],
        "smokes": cause() > 0.3,
        "health": pl.Series(np.array(LEVELS)[np.digitize(cause(), [-0.5, 0.5])], dtype=pl.Enum(LEVELS)),
        "day": pl.Series((19_000 + np.exp(cause() + 3).astype(int)).astype(np.int32)).cast(pl.Date),
    })  # fmt: skip
    lost = rng.random((n, table.width)) < holes
    gaps = {name: pl.Series(lost[:, j]) for j, name in enumerate(table.columns)}
    return table.with_columns(**{name: pl.when(gap).then(None).otherwise(pl.col(name)) for name, gap in gaps.items()})


def numbers(seed=0, n=80):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) @ rng.normal(size=(2, 5)) + 0.5 * rng.normal(size=(n, 5))
    X[rng.random(X.shape) < 0.1] = np.nan
    return X


def test_a_row_of_weight_two_is_there_twice():
    X = numbers()
    weights = np.random.default_rng(1).integers(0, 3, len(X))
    kept = np.repeat(X, weights, axis=0)
    one, other = Factorization(2).fit(X, sample_weight=weights), Factorization(2).fit(kept)
    assert one.objective_ == pytest.approx(other.objective_, rel=1e-9)
    np.testing.assert_allclose(one.components_, other.components_, atol=1e-6)
    np.testing.assert_allclose(one.noise_, other.noise_, rtol=1e-6)


@pytest.mark.parametrize("codes", ["auto", "ridge"])
def test_a_cell_of_weight_zero_was_not_observed(codes):
    X = np.column_stack([numbers(2), np.random.default_rng(2).integers(0, 3, 80)])
    counts = np.random.default_rng(3).random(X.shape) > 0.2
    spoilt = np.where(counts, X, 1e6)  # no level of the category, and far from all numbers
    kinds = ["number"] * 5 + ["category"]
    one = Factorization(2, kinds=kinds, codes=codes).fit(spoilt, entry_weight=counts.astype(float))
    other = Factorization(2, kinds=kinds, codes=codes).fit(np.where(counts, X, np.nan))
    np.testing.assert_allclose(one.components_, other.components_, atol=1e-10)
    np.testing.assert_allclose(one.intercept_, other.intercept_, atol=1e-10)


@pytest.mark.parametrize("k", [0, 2])
def test_no_components_are_a_model_with_and_without_weights(k):
    X = numbers(4)
    model = Factorization(k).fit(X, sample_weight=np.ones(len(X)))
    np.testing.assert_allclose(model.noise_, Factorization(k).fit(X).noise_, rtol=1e-6)
    assert model.transform(X).shape == (80, k) and not np.isnan(model.impute(X)).any()


def test_dates_are_not_compared_by_ratios():
    model = Factorization(1).fit(frame())
    losses = {model.kinds_[j]: group["loss"].name for group in model.groups_ for j in group["columns"]}
    assert losses["date"] == "squared"
    names = [group["loss"].name for group in model.groups_ for j in group["columns"] if j == 1]
    assert names == ["logarithm"]


@pytest.mark.parametrize("asked", [{"intercept": False}, {"scale": None}, {"scale": "inertia"}])
def test_forms_that_normal_codes_do_not_have_are_refused(asked):
    with pytest.raises(ValueError, match="codes that have a normal law"):
        Factorization(1, **asked).fit(numbers())
    Factorization(1, codes="ridge", **asked).fit(numbers())


@pytest.mark.parametrize("parts", [
    {}, {"codes": "ridge"}, {"loss": {"number": "huber", "category": "multinomial"}},
    {"loss": {"number": "absolute", "date": "periodic"}, "components": "l1", "codes": "ridge"},
    {"loss": "squared", "kinds": dict.fromkeys(("age", "income"), "number"), "codes": "normal"},
])  # fmt: skip
def test_saved_and_pickled_models_say_the_same(parts, tmp_path):
    table = frame(1)
    if "kinds" in parts:
        table = table.select("age", "income")
    model = Factorization(2, random_state=0, **parts).fit(table)
    model.save(tmp_path / "model")
    for back in (unmix.load(tmp_path / "model"), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(back.transform(table), model.transform(table))
        filled, spread = back.impute(table, return_spread=True)
        assert filled.equals(model.impute(table)) and np.isfinite(spread).all()
    again = clone(model).fit(table)
    np.testing.assert_array_equal(again.components_, model.components_)


def test_pandas_and_polars_say_the_same():
    table = frame(2)
    one, other = (Factorization(2).fit(X) for X in (table, table.to_pandas()))
    np.testing.assert_allclose(one.transform(table), other.transform(table.to_pandas()), atol=1e-8)
    filled = other.impute(table.to_pandas())
    assert isinstance(filled, pd.DataFrame) and not filled.isna().any().any()
    named = Factorization(2).set_output(transform="pandas").fit(table).transform(table)
    assert list(named.columns) == ["factorization0", "factorization1"]


def test_further_rows_improve_the_model_and_its_noises():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(600, 2)) @ rng.normal(size=(2, 6)) + 0.5 * rng.normal(size=(600, 6))
    whole, first, online = Factorization(2).fit(X), Factorization(2).fit(X[:100]), Factorization(2)
    for start in range(0, 600, 100):
        online.partial_fit(X[start : start + 100])

    def covariance(model):
        units = model.groups_[0]["unit"]
        return model.components_.T @ model.components_ + np.diag(model.noise_ * units**2)

    far, near = (np.abs(covariance(model) - covariance(whole)).max() for model in (first, online))
    assert near < 0.6 * far


def test_a_fit_is_near_a_stationary_point_and_its_start_is_not():
    X = numbers(6)
    with pytest.warns(Warning, match="did not converge"):
        start = Factorization(2, max_iter=1).fit(X)
    end = Factorization(2, tol=1e-10, max_iter=5000).fit(X)
    assert end.stationarity(X)[1] < 1e-4 < 1e-2 < start.stationarity(X)[1]


def test_held_out_cells_find_the_planted_number():
    rng = np.random.default_rng(8)  # with more components errors differ in the sixth digit alone
    X = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 10)) + 0.5 * rng.normal(size=(200, 10))
    assert select(Factorization(), X, range(6), random_state=0).best_params == {"n_components": 3}


def test_selection_of_frames_with_losses_by_name_rare_levels_and_files(tmp_path):
    table = frame(3)
    found = select(Factorization(loss={"age": "huber"}), table, range(2), random_state=0)
    assert found.best_params == {"n_components": 1} and found.best_estimator.kinds_[0] == "number"
    rare = table.with_columns(town=pl.when(pl.int_range(pl.len()) == 7).then(pl.lit("z")).otherwise(pl.col("town")))
    assert select(Factorization(), rare, range(2), random_state=0).best_params == {"n_components": 1}
    table.select("age", "town", "smokes", "income").write_csv(tmp_path / "survey.csv")
    found = select(Factorization(), tmp_path / "survey.csv", range(2), random_state=0)
    assert found.best_params == {"n_components": 1}


@pytest.mark.slow_without_jit
@pytest.mark.long
def test_independent_columns_have_no_components():
    found = [
        select(Factorization(), frame(seed, n=80, related=False).drop("day"), range(3), random_state=seed).best_params
        for seed in range(20)
    ]
    assert sum(point == {"n_components": 0} for point in found) >= 19


def test_idle_components_leave_the_noises_as_they_are():
    X = numbers(9, n=60)
    few, many = Factorization(2, tol=1e-8, max_iter=5000).fit(X), Factorization(20, tol=1e-8, max_iter=5000).fit(X)
    np.testing.assert_allclose(many.noise_, few.noise_, rtol=0.02)


def test_a_truth_value_is_worth_one_number():
    """As a category with two levels it must not draw a component to itself, and says what 0 and 1 as a number say."""
    rng = np.random.default_rng(10)
    z = rng.normal(size=400)
    X = np.column_stack([z, z + rng.logistic(size=400) > 0, z]).astype(float)
    X[:, [0, 2]] += [0.3, 0.5] * rng.normal(size=(400, 2))
    levels, number = (Factorization(1, kinds=["number", kind, "number"]).fit(X) for kind in ("boolean", "number"))
    for model in (levels, number):
        assert abs(np.corrcoef(model.transform(X)[:, 0], z)[0, 1]) > 0.9
    assert levels.noise_.min() > 0.01
    assert abs(np.corrcoef(levels.transform(X)[:, 0], number.transform(X)[:, 0])[0, 1]) > 0.999
