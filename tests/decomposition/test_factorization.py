"""What must not change a factorization: weights, units, forms of tables; and tables that are hardly any."""

import numpy as np
import polars as pl
import pytest
from scipy import sparse
from scipy.optimize import lsq_linear

from unmix.algorithms.factorization import columns
from unmix.constraints import L1, Group, Ridge, Smooth, Sparse, UnitNorm
from unmix.decomposition import Factorization

KINDS = ("squared", "squared", "logistic", "multinomial", "ordinal")
EXACT = {"codes": Ridge(0.1), "components": Ridge(0.1), "tol": 1e-10, "max_iter": 3000, "random_state": 0}
rng = np.random.default_rng(0)
NUMBERS = rng.normal(size=(60, 2)) @ rng.normal(size=(2, 5)) + 0.3 * rng.normal(size=(60, 5))
MIXED = np.column_stack([NUMBERS[:, :2], NUMBERS[:, 2] > 0, np.digitize(NUMBERS[:, 3:], [-0.5, 0.5])]).astype(float)


def said(model, X):
    return model.inverse_transform(model.transform(X))


def inner(model):
    return model._inner()


def test_a_weight_is_that_many_rows():
    weights = np.random.default_rng(1).integers(0, 3, 60).astype(float)
    weighted = Factorization(2, loss=KINDS, **EXACT).fit(MIXED, sample_weight=weights)
    repeated = Factorization(2, loss=KINDS, **EXACT).fit(np.repeat(MIXED, weights.astype(int), axis=0))
    np.testing.assert_allclose(inner(weighted), inner(repeated), atol=1e-9)
    assert weighted.objective_ == pytest.approx(repeated.objective_, rel=1e-12)


@pytest.mark.parametrize("loss", ["multinomial", "indicators", "ordinal"])
def test_a_level_that_only_rows_without_weight_hold_is_none(loss):
    X, weights = MIXED.copy(), np.ones(60)
    X[5, 3:], weights[5] = 7.0, 0.0
    kinds = ("squared", "squared", "logistic", loss, loss)
    weighted = Factorization(2, loss=kinds, **EXACT).fit(X, sample_weight=weights)
    without = Factorization(2, loss=kinds, **EXACT).fit(X[weights > 0])
    np.testing.assert_allclose(inner(weighted), inner(without), atol=1e-9)


def test_a_cell_of_weight_zero_is_missing():
    entries = (np.random.default_rng(1).random(MIXED.shape) > 0.1).astype(float)
    weighted = Factorization(2, loss=KINDS, **EXACT).fit(MIXED, entry_weight=entries)
    holed = Factorization(2, loss=KINDS, **EXACT).fit(np.where(entries > 0, MIXED, np.nan))
    np.testing.assert_allclose(inner(weighted), inner(holed), atol=1e-12)


@pytest.mark.parametrize("scale", [None, "column"])
def test_all_cells_of_a_row_twice_are_the_row_twice(scale):
    weights = np.random.default_rng(1).integers(0, 3, 60).astype(float)
    options = {"loss": "squared", "scale": scale, "tol": 1e-12, "max_iter": 5000}
    by_cell = Factorization(2, **options).fit(NUMBERS, entry_weight=np.repeat(weights[:, None], 5, axis=1))
    by_row = Factorization(2, **options).fit(NUMBERS, sample_weight=weights)
    assert by_cell.objective_ == pytest.approx(by_row.objective_, rel=1e-9)
    np.testing.assert_allclose(said(by_cell, NUMBERS), said(by_row, NUMBERS), atol=1e-7)


@pytest.mark.parametrize("power", [1e3, 1e-200, 1e200])
def test_units_and_offsets_of_columns_do_not_matter(power):
    scale = np.array([power, 1 / power, 1.0, 1.0, 1.0])
    plain, scaled = (Factorization(2, loss=KINDS, **EXACT).fit(X) for X in (MIXED, MIXED * scale))
    np.testing.assert_allclose(said(scaled, MIXED * scale) / scale, said(plain, MIXED), atol=1e-9)
    shift = np.array([1e3, -50.0, 0.0, 0.0, 0.0])
    shifted = Factorization(2, loss=KINDS, **EXACT).fit(MIXED + shift)
    np.testing.assert_allclose(said(shifted, MIXED + shift) - shift, said(plain, MIXED), atol=1e-7)


@pytest.mark.parametrize("power", [1e200, 1e-200])
@pytest.mark.parametrize("loss", ["squared", "huber"])
def test_numbers_that_cannot_be_squared_are_refused_in_words(loss, power):
    with pytest.raises(ValueError, match=r"cells reach .* scale='column'"):
        Factorization(2, loss=loss).fit(NUMBERS * power)


@pytest.mark.parametrize("loss", ["squared", "huber", "poisson"])
def test_sparse_tables_hold_zeros_or_holes(loss):
    X = np.maximum(np.round(2 * NUMBERS), 0.0)
    X[X.sum(axis=1) == 0, 0] = 1.0
    csr, options = sparse.csr_matrix(X), {"loss": loss, **EXACT}
    np.testing.assert_allclose(
        said(Factorization(2, **options).fit(csr), csr), said(Factorization(2, **options).fit(X), X), atol=1e-6
    )
    holed = np.where(X == 0, np.nan, X)
    known = Factorization(2, unstored="missing", **options).fit(csr)
    full = Factorization(2, **options).fit(holed)
    np.testing.assert_allclose(said(known, csr), said(full, holed), atol=1e-6)
    np.testing.assert_allclose(known.impute(csr), full.impute(holed), atol=1e-6)


def test_nan_stored_in_a_sparse_table_is_a_hole():
    X = np.where(np.abs(NUMBERS) < 0.3, 0.0, NUMBERS)
    X[::9, 1] = np.nan
    options = {"loss": "squared", "tol": 1e-12, "max_iter": 3000}
    dense, stored = Factorization(1, **options).fit(X), Factorization(1, **options).fit(sparse.csr_matrix(X))
    np.testing.assert_allclose(said(stored, sparse.csr_matrix(X)), said(dense, X), atol=1e-7)
    np.testing.assert_allclose(stored.impute(sparse.csr_matrix(X)), dense.impute(X), atol=1e-7)


def test_order_and_precision_of_rows():
    order = np.random.default_rng(1).permutation(60)
    plain = Factorization(2, loss=KINDS, **EXACT).fit(MIXED)
    np.testing.assert_allclose(
        said(Factorization(2, loss=KINDS, **EXACT).fit(MIXED[order]), MIXED), said(plain, MIXED), atol=1e-9
    )
    single = Factorization(2, loss=KINDS, **EXACT).fit(MIXED.astype(np.float32))
    assert single.components_.dtype == single.transform(MIXED.astype(np.float32)).dtype == np.float32
    np.testing.assert_allclose(said(single, MIXED.astype(np.float32)), said(plain, MIXED), atol=2e-3)
    assert Factorization(1, loss="squared").fit(NUMBERS.astype(np.float16)).components_.dtype == np.float32
    assert Factorization(1, loss="squared").fit((9 * NUMBERS).astype(int)).components_.dtype == np.float64


@pytest.mark.filterwarnings("ignore:Factorization did not converge")
@pytest.mark.parametrize("constraints", [("free", "free"), (Ridge(0.1), Ridge(0.1)), ("one_hot", "free")], ids=str)
@pytest.mark.parametrize("shape", [(3, 5, 4), (1, 5, 2), (6, 1, 1), (1, 1, 1), (9, 3, 5), (9, 3, 0)])
@pytest.mark.parametrize("loss", ["squared", "huber", "logistic", "poisson", "multinomial", "ordinal", "indicators"])
def test_small_tables(loss, shape, constraints):
    n, d, k = shape
    X = np.random.default_rng(3).integers(0, 2, (n, d)).astype(float)
    codes, components = constraints
    model = Factorization(k, loss=loss, codes=codes, components=components, max_iter=40, random_state=0).fit(X)
    assert model.transform(X).shape == (n, k)
    assert np.isfinite(said(model, X)).all()
    nothing = np.full((1, d), np.nan)
    assert np.isfinite(model.impute(nothing)).all()


@pytest.mark.parametrize("loss", ["squared", "huber", "absolute", "auto"])
def test_constant_columns_stay_constant(loss):
    X = NUMBERS.copy()
    X[:, 1] = 3.0
    np.testing.assert_allclose(said(Factorization(2, loss=loss, random_state=0).fit(X), X)[:, 1], 3.0, atol=1e-9)


def test_a_table_of_one_level_is_done_at_once():
    model = Factorization(1, loss="logistic", codes=Ridge(1.0), components=Ridge(1.0)).fit(np.ones((10, 3)))
    np.testing.assert_array_equal(said(model, np.ones((2, 3))), 1.0)


@pytest.mark.parametrize("loss", ["multinomial", "indicators", "ordinal"])
def test_levels_beyond_the_rows_that_are_sampled(loss, monkeypatch):
    monkeypatch.setattr(columns, "SAMPLE", 20)
    X = MIXED[:, 3:].copy()
    X[7] = 5.0  # one row of sixty
    for seed in range(3):
        model = Factorization(1, loss=loss, codes=Ridge(1.0), components=Ridge(1.0), random_state=seed).fit(X)
        assert np.isfinite(model.transform(X)).all()
        assert model.impute(np.array([[5.0, np.nan]])).shape == (1, 2)
    X[7, 1] = 0.5
    with pytest.raises(ValueError, match=r"cannot be measured by the .* it holds 0.5"):
        Factorization(1, loss=loss, random_state=0).fit(X)


@pytest.mark.parametrize(
    "codes, components",
    [
        (Smooth(0.5, ridge=0.1), Ridge(0.1)),
        (Ridge(0.1), Smooth(0.5, order="rows", ridge=0.1)),
        (Group(0.3, groups=("a", "a", "b")), UnitNorm()),
    ],
    ids=str,
)
def test_what_a_constraint_says_of_the_order_of_components_holds(codes, components):
    model = Factorization(3, loss="squared", codes=codes, components=components, tol=1e-9, max_iter=5000).fit(NUMBERS)
    found = [row["objective"] for row in model.trace_]
    assert found[-1] <= found[-2] * (1 + 1e-6)  # the form in which it is told costs no more than that in which it ended


@pytest.mark.parametrize(
    "codes", [Sparse(1), Sparse(2), UnitNorm(), UnitNorm(at_most=False), Smooth(0.5, ridge=0.1), L1(0.2)], ids=str
)
def test_codes_of_new_rows_are_as_good_as_those_of_the_fit(codes):
    components = Ridge(0.1) if codes.shrinks or codes.bounded else UnitNorm()
    X = NUMBERS.copy()
    X[::7, 2] = np.nan
    for cells in (NUMBERS, X):
        model = Factorization(3, loss="squared", codes=codes, components=components, random_state=0).fit(cells)
        trace = [row["objective"] for row in model.trace_]
        assert trace[-1] <= trace[-2] * (1 + 1e-6)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_a_column_that_was_never_observed_is_named(form):
    X = np.random.default_rng(0).normal(size=(8, 3))
    X[:, 1] = np.nan
    with pytest.raises(ValueError, match="column '1' has no observed value; drop it"):
        Factorization(1).fit(form(X))
    zeros = np.where(np.isnan(X), 0.0, X)
    with pytest.raises(ValueError, match="column '1' has no observed value; drop it"):
        Factorization(1, unstored="missing").fit(sparse.csr_array(zeros))
    Factorization(1).fit(sparse.csr_array(zeros))  # there zeros are numbers


def test_a_constant_that_pays_nothing_does_not_hold_a_factor():
    with pytest.raises(ValueError, match=r"components='smooth' from growing in return; give .* Smooth\(ridge=…\)"):
        Factorization(2, loss="squared", codes="ridge", components="smooth").fit(NUMBERS)
    Factorization(2, loss="squared", codes=Ridge(0.1), components=Smooth(1.0, ridge=0.1)).fit(NUMBERS)


@pytest.mark.parametrize("kind", ["number", "category", "ordered"])
def test_uneven_weights_of_cells_are_cells_repeated(kind):
    """Units, shares and scores are those of a table in which a cell of weight 3 stands three times in its column."""
    rng = np.random.default_rng(3)
    x = rng.integers(0, 3, size=60).astype(float) if kind != "number" else rng.gamma(2.0, size=60)
    counts = rng.integers(1, 4, size=(60, 2))
    X, weights = np.column_stack([x, rng.normal(size=60)]), counts.astype(float)
    model = Factorization(0, kinds=[kind, "number"]).fit(X, entry_weight=weights)
    group = model.groups_[0]
    repeated = np.repeat(x, counts[:, 0])
    alone = Factorization(0, kinds=[kind]).fit(repeated[:, None]).groups_[0]
    assert type(group["loss"]) is type(alone["loss"])
    for part in ("shift", "unit", "factor"):
        np.testing.assert_allclose(group[part][0], alone[part][0], rtol=1e-12)
    for part in ("shares", "scores"):
        np.testing.assert_allclose(getattr(group["loss"], part, 0), getattr(alone["loss"], part, 0), rtol=1e-12)


def test_what_is_said_of_single_columns_reaches_them():
    model = Factorization(1, loss={0: "huber"}).fit(NUMBERS)
    assert [group["loss"].name for group in model.groups_] == ["huber", "squared"]
    with pytest.raises(ValueError, match="column '1': loss=3 is not known"):
        Factorization(1, loss=["squared", 3] + ["squared"] * (NUMBERS.shape[1] - 2)).fit(NUMBERS)
    for loss in ("auto", "squared"):
        with pytest.raises(ValueError, match="entry_weight is 0 for every cell of column '0'; drop it"):
            unseen = np.broadcast_to(np.arange(NUMBERS.shape[1]) > 0, NUMBERS.shape).astype(float)
            Factorization(1, loss=loss).fit(NUMBERS, entry_weight=unseen)
    with pytest.raises(ValueError, match=r"entry_weight has shape \(\d+,\); give one weight a cell"):
        Factorization(1).fit(NUMBERS, entry_weight=np.ones(len(NUMBERS)))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_of_numbers_come_back_as_frames_also_rows_that_lack_a_whole_column(library):
    frames = pytest.importorskip(library)
    holed = np.where(np.random.default_rng(1).random(NUMBERS.shape) < 0.2, np.nan, NUMBERS)
    frame = frames.DataFrame(dict(zip("abcde", holed.T, strict=True)))
    model = Factorization(2, random_state=0).fit(frame)
    expected = Factorization(2, random_state=0).fit(holed).impute(holed)
    filled = model.impute(frame)
    assert type(filled) is type(frame) and list(filled.columns) == list(frame.columns)
    np.testing.assert_allclose(filled.to_numpy(), expected, rtol=1e-12)
    rows = frame[:3].assign(a=np.nan) if library == "pandas" else frame[:3].with_columns(a=frames.lit(None, float))
    again = model.impute(rows)
    assert type(again) is type(frame) and np.isfinite(again.to_numpy()).all()


def test_a_frame_that_is_not_read_yet_is_looked_at_without_a_warning():
    table = {"size": NUMBERS[:, 0], "group": np.array(["a", "b"])[(NUMBERS[:, 1] > 0).astype(int)]}
    lazy = pl.LazyFrame(table)
    np.testing.assert_array_equal(
        Factorization(1, random_state=0).fit_transform(lazy),
        Factorization(1, random_state=0).fit_transform(lazy.collect()),
    )


@pytest.mark.parametrize("coverage", [0, 1, True, "a", None, np.nan])
def test_a_coverage_that_is_no_probability_is_refused_in_words(coverage):
    model = Factorization(1).fit(NUMBERS)
    with pytest.raises(ValueError, match=r"coverage=.*: give a probability between 0 and 1"):
        model.impute_interval(NUMBERS, coverage)


@pytest.mark.parametrize("holes", [0.0, 0.1])
@pytest.mark.parametrize("codes", ["non_negative", "box"])
@pytest.mark.filterwarnings("ignore:Factorization did not converge")
def test_codes_are_the_best_ones_where_components_nearly_say_the_same(codes, holes):
    """Two directions and noise told by five parts that may not cancel: components grow, and differ by ever less."""
    draw = np.random.default_rng(5)
    X = draw.standard_t(4, size=(60, 2)) @ draw.normal(size=(2, 12)) + draw.standard_t(4, size=(60, 12))
    X[draw.random(X.shape) < holes] = np.nan
    model = Factorization(5, loss="squared", codes=codes, intercept=False, tol=1e-9, max_iter=800, random_state=0)
    model.fit(X)
    *_, before, last = (step["objective"] for step in model.trace_)
    assert last <= before * (1 + 1e-9)  # the loop's codes are no better than those found from nothing
    bounds = (0, np.inf) if codes == "non_negative" else (0, 1)
    for x, code in zip(X, model.transform(X), strict=True):
        known = ~np.isnan(x)
        U = model.components_[:, known]
        least = lsq_linear(U.T, x[known], bounds, method="bvls", tol=1e-14).cost
        assert 0.5 * np.sum((x[known] - code @ U) ** 2) <= least * (1 + 1e-7) + 1e-12


@pytest.mark.parametrize("loss", ["huber", {"city": "poisson"}, {"category": "squared"}])
def test_categories_are_no_amounts(loss):
    cities = pl.DataFrame({"a": NUMBERS[:, 0], "city": np.array(["Bern", "Oslo", "Rome"])[np.arange(60) % 3]})
    with pytest.raises(ValueError, match=r"column 'city' holds categories, and the .* loss"):
        Factorization(1, loss=loss).fit(cities)
    two = cities.with_columns(pl.col("city").replace("Rome", "Oslo"))
    assert Factorization(1, loss=loss, random_state=0).fit(two).kinds_[1] == "category"  # 0 and 1 are numbers, too
