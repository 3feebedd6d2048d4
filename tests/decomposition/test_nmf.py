"""NMF: planted parts, missing entries, penalties, sparse tables, rows that stream, and odd tables."""

import warnings

import numpy as np
import pandas
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.decomposition import NMF as Reference
from sklearn.decomposition import MiniBatchNMF

import unmix
from unmix.algorithms.nonnegative.compressed import is_worthwhile
from unmix.algorithms.nonnegative.problem import Problem
from unmix.decomposition import NMF
from unmix.io.dispatch import as_blocks
from unmix.validation import CrossValidation, select

pytestmark = pytest.mark.slow_without_jit
KL = "kullback-leibler"


def planted(n=120, d=40, k=3, seed=0, zeros=0.5):
    """Parts that barely overlap, so that they are the only ones."""
    rng = np.random.default_rng(seed)
    Z = rng.gamma(1.0, size=(n, k)) * (rng.random((n, k)) > zeros)
    U = rng.gamma(1.0, size=(k, d)) * (rng.random((k, d)) > zeros)
    return Z, U


def match(found, true):
    """Smallest cosine between each true part and the found one nearest to it."""
    unit = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (found, true)]
    return (unit[1] @ unit[0].T).max(axis=1).min()


@pytest.mark.parametrize("loss", ["frobenius", KL])
@pytest.mark.parametrize("solver", ["hals", "mu"])
def test_planted_parts_are_found(solver, loss):
    Z, U = planted()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = NMF(3, solver=solver, beta_loss=loss, tol=1e-7, max_iter=3000).fit(Z @ U)
    assert match(model.components_, U) > (0.9999 if solver == "hals" else 0.999)
    assert model.reconstruction_err_ < 1e-2 * np.linalg.norm(Z @ U)


@pytest.mark.parametrize("loss", ["frobenius", KL])
def test_no_worse_than_scikit_learn(loss):
    rng = np.random.default_rng(0)
    X = rng.poisson(rng.gamma(0.5, size=(150, 6)) @ rng.gamma(0.5, size=(6, 60)) * 3).astype(float)
    solver = {"solver": "cd"} if loss == "frobenius" else {"solver": "mu", "beta_loss": loss}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reference = Reference(6, init="nndsvda", random_state=0, max_iter=200, **solver).fit(X)
        model = NMF(6, beta_loss=loss, random_state=0).fit(X)
    assert model.reconstruction_err_ <= reference.reconstruction_err_ * (1 + 1e-6)


@pytest.mark.parametrize("loss", ["frobenius", KL])
def test_error_codes_and_reconstruction_agree(loss):
    X = np.random.default_rng(0).gamma(0.5, size=(50, 8))
    model = NMF(3, beta_loss=loss, max_iter=1000)
    Z = model.fit_transform(X)
    np.testing.assert_array_equal(Z, model.transform(X))
    Y = model.inverse_transform(Z)
    expected = np.sum((X - Y) ** 2) if loss == "frobenius" else 2 * np.sum(X * np.log(X / Y) - X + Y)
    assert model.reconstruction_err_ == pytest.approx(np.sqrt(expected), rel=1e-9)
    strength = np.linalg.norm(Z, axis=0) * np.linalg.norm(model.components_, axis=1)
    assert (np.diff(strength) < 1e-3 * strength[0]).all()


def test_penalties_mean_what_they_mean_in_scikit_learn():
    X = np.random.default_rng(1).gamma(0.5, size=(40, 12))
    options = {"alpha_W": 0.02, "alpha_H": 0.01, "l1_ratio": 0.5, "tol": 1e-9, "max_iter": 20_000}
    start = np.random.default_rng(2).random((40, 3)), np.random.default_rng(3).random((3, 12))
    reference = Reference(3, init="custom", **options)
    W = reference.fit_transform(X, W=start[0].copy(), H=start[1].copy())

    def objective(Z, U):
        value = 0.5 * np.sum((X - Z @ U) ** 2)
        value += 0.02 * 12 * (0.5 * Z.sum() + 0.25 * (Z**2).sum())
        return value + 0.01 * 40 * (0.5 * U.sum() + 0.25 * (U**2).sum())

    model = NMF(3, init="custom", **options)
    Z = model.fit_transform(X, W=start[0], H=start[1])
    assert objective(Z, model.components_) <= objective(W, reference.components_) * (1 + 1e-6)
    np.testing.assert_allclose(Z @ model.components_, W @ reference.components_, atol=0.01)
    dense, sparse = (
        (NMF(3, alpha_W=alpha, l1_ratio=1.0, max_iter=2000).fit_transform(X) == 0).mean() for alpha in (0.0, 0.05)
    )
    assert sparse > dense


def test_missing_entries_are_recovered():
    Z, U = planted(100, 60, 3, zeros=0.3)
    X = Z @ U
    holes = np.random.default_rng(1).random(X.shape) < 0.6
    model = NMF(3, tol=0, max_iter=1500, random_state=0, missing="ignore")
    codes = model.fit_transform(np.where(holes, np.nan, X))
    error = np.linalg.norm((model.inverse_transform(codes) - X)[holes]) / np.linalg.norm(X[holes])
    assert error < 1e-6


@pytest.mark.parametrize("options", [{"solver": "mu"}, {"beta_loss": KL}])
def test_missing_entries_in_every_solver(options):
    Z, U = planted(80, 30, 2, zeros=0.3)
    X = Z @ U + 0.01
    holes = np.random.default_rng(1).random(X.shape) < 0.3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = NMF(2, tol=1e-9, max_iter=1000, missing="ignore", **options).fit(np.where(holes, np.nan, X))
        told = model.inverse_transform(model.transform(np.where(holes, np.nan, X)))
    assert np.linalg.norm((told - X)[holes]) < 0.05 * np.linalg.norm(X[holes])


def test_weights_are_repeats_with_missing_entries():
    X = np.random.default_rng(0).gamma(1.0, size=(40, 6))
    X[np.random.default_rng(1).random(X.shape) < 0.2] = np.nan
    weights = np.random.default_rng(2).integers(1, 3, 40)
    weighted = NMF(2, max_iter=3000, missing="ignore").fit(X, sample_weight=weights)
    repeated = NMF(2, max_iter=3000, missing="ignore").fit(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(weighted.components_, repeated.components_, rtol=1e-6)


def wide(seed=0):
    rng = np.random.default_rng(seed)
    return rng.random((200, 4)) @ rng.random((4, 90)) + 0.1 * rng.random((200, 90))


def test_wide_tables_start_from_their_leading_directions():
    X = wide()
    assert is_worthwhile(Problem(unmix.io.dispatch.as_blocks(X)), 14)
    with unmix.execution(threads=1):
        model = NMF(4, max_iter=500).fit(X)
    assert {row["stage"] for row in model.trace_} == {"compressed", "hals", "codes"}
    weights = np.random.default_rng(1).integers(1, 3, len(X))
    options = {"max_iter": 2000, "tol": 1e-6}
    np.testing.assert_allclose(
        NMF(4, **options).fit(X, sample_weight=weights).components_,
        NMF(4, **options).fit(np.repeat(X, weights, axis=0)).components_,
        atol=1e-4,
    )
    with unmix.execution(threads=3):
        assert np.array_equal(NMF(4, max_iter=500).fit(X).components_, model.components_)
    np.testing.assert_allclose(NMF(4, max_iter=500).fit(csr_array(X)).components_, model.components_, atol=1e-6)


def error(X, told, loss):
    return np.linalg.norm(X - told) if loss == "frobenius" else np.sqrt(2 * np.sum(X * np.log(X / told) - X + told))


@pytest.mark.parametrize("loss", ["frobenius", KL])
def test_rows_that_come_in_batches(loss):
    X = wide()
    model = NMF(4, beta_loss=loss, random_state=0)
    reference = MiniBatchNMF(4, beta_loss=loss, init="nndsvda", random_state=0)
    for turn in range(4):
        for part in np.array_split(np.random.default_rng(turn).permutation(len(X)), 4):
            model.partial_fit(X[part])
            reference.partial_fit(X[part])
    told = model.inverse_transform(model.transform(X))
    expected = reference.inverse_transform(reference.transform(X))
    assert error(X, told, loss) < error(X, expected, loss)
    assert error(X, told, loss) < 0.6 * error(X, np.outer(X.mean(axis=1), X.mean(axis=0)) / X.mean(), loss)
    assert model.statistics_["rows"] == 4 * len(X)


@pytest.mark.parametrize("loss", ["frobenius", KL])
def test_more_of_the_same_rows_change_little(loss):
    X = wide()
    model = NMF(4, beta_loss=loss, max_iter=3000, tol=1e-7).fit(X)
    before = model.components_
    model.partial_fit(X)
    np.testing.assert_allclose(model.components_, before, atol=0.02 * before.max())


@pytest.mark.parametrize("loss", ["frobenius", KL])
def test_gaps_in_batches_are_filled_by_what_is_told(loss, monkeypatch):
    """The codes of a row do not change where its gaps are filled by them, so one round gives the same components."""
    for rounds in ("ROUNDS", "GAP_ROUNDS"):
        monkeypatch.setattr(f"unmix.algorithms.nonnegative.fits.online.{rounds}", 1)
    X = wide()
    first, second = (NMF(4, beta_loss=loss, max_iter=30, tol=0, missing="ignore").fit(X) for _ in range(2))
    gaps = np.where(np.random.default_rng(0).random(X.shape) < 0.3, np.nan, X)
    told = first.inverse_transform(first.transform(gaps))
    first.partial_fit(gaps)
    second.partial_fit(np.where(np.isnan(gaps), told, X))
    np.testing.assert_allclose(first.components_, second.components_, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("loss", ["frobenius", KL])
def test_gaps_are_recovered_from_batches(loss):
    rng = np.random.default_rng(0)
    X = rng.gamma(1.0, size=(600, 3)) @ rng.gamma(1.0, size=(3, 20)) + 0.01
    gaps = np.where(rng.random(X.shape) < 0.3, np.nan, X)
    model = NMF(3, beta_loss=loss, random_state=0, missing="ignore")
    for turn in range(5):
        for part in np.array_split(np.random.default_rng(turn).permutation(len(X)), 3):
            model.partial_fit(gaps[part])
    told = model.inverse_transform(model.transform(gaps))
    hidden = np.isnan(gaps)
    assert np.linalg.norm((told - X)[hidden]) < 0.05 * np.linalg.norm(X[hidden])  # a table of rank one: 0.39
    model.set_params(tol=0.01).fit(gaps).partial_fit(gaps)
    assert model.statistics_["rows"] == 2 * len(X)


def test_negative_values_are_named():
    frame = pandas.DataFrame({"a": [1.0, 2.0], "b": [0.5, -1.0]})
    with pytest.raises(ValueError, match=r"Negative values in data passed to NMF: 1, the first in column 'b'"):
        NMF(1).fit(frame)
    with pytest.raises(ValueError, match=r"column 1"):
        NMF(1).fit(csr_array(frame.to_numpy()))
    with pytest.raises(ValueError, match="no observed value"):
        NMF(1, missing="ignore").fit(np.array([[1.0, np.nan], [2.0, np.nan]]))
    with pytest.raises(ValueError, match="sparse table with NaN"):
        NMF(1, missing="ignore").fit(csr_array(np.array([[1.0, np.nan], [2.0, 0.0]])))


@pytest.mark.parametrize("loss", ["frobenius", KL])
@pytest.mark.parametrize("solver", ["hals", "mu"])
@pytest.mark.parametrize(
    "X, k",
    [
        (np.zeros((5, 3)), 2),
        (np.full((6, 4), 3.0), 2),
        (np.outer([1.0, 0, 2, 0], [0, 3.0, 1]), 2),
        (np.eye(3), 5),
        (np.array([[4.0]]), 1),
        (np.array([[1.0, 2.0, 3.0]]), 3),
        (np.outer([1e-8, 1.0, 1e8], [1e-6, 1.0, 1e6]), 1),
    ],
)
def test_odd_tables_are_told_exactly(solver, loss, X, k):
    model = NMF(k, solver=solver, beta_loss=loss, max_iter=5000, tol=0 if solver == "hals" else 1e-7)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", UserWarning)
        model.set_params(max_iter=300).fit(X)
    told = model.inverse_transform(model.transform(X))
    exact = solver == "hals" or k == 1
    assert np.isfinite(told).all() and (model.components_ >= 0).all()
    np.testing.assert_allclose(told, X, atol=(1e-5 if exact else 0.05) * max(X.max(), 1e-300))


@pytest.mark.parametrize("scale", [1e-300, 1e-40, 1e40, 1e300])
@pytest.mark.parametrize("loss", ["frobenius", KL])
def test_extreme_scales(scale, loss):
    X = planted()[0][:, :2] @ planted()[1][:2] + 0.1
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        expected = NMF(2, beta_loss=loss, tol=1e-7, max_iter=3000).fit(X)
        model = NMF(2, beta_loss=loss, tol=1e-7, max_iter=3000).fit(X * scale)
        told = model.inverse_transform(model.transform(X * scale))
    np.testing.assert_allclose(told / scale, expected.inverse_transform(expected.transform(X)), rtol=1e-3)
    unit = scale if loss == "frobenius" else np.sqrt(scale)
    assert model.reconstruction_err_ / unit == pytest.approx(expected.reconstruction_err_, rel=1e-4)


def test_a_given_start_keeps_its_order():
    Z, U = planted()
    model = NMF(init=U[::-1] + 0.01, max_iter=1000, tol=1e-6).fit(Z @ U)
    cosine = (model.components_ * U[::-1]).sum(axis=1) / np.linalg.norm(model.components_, axis=1)
    np.testing.assert_allclose(cosine, np.linalg.norm(U[::-1], axis=1), rtol=1e-4)
    assert model.n_components_ == 3


@pytest.mark.parametrize("hide", ["missing", "blocks"])
def test_cross_validation_of_entries_finds_the_number_of_parts(hide):
    rng = np.random.default_rng(0)
    Z, U = planted(90, 25, 3, zeros=0.3)
    X = np.abs(Z @ U + 0.05 * rng.normal(size=(90, 25)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = select(
            NMF(max_iter=100, random_state=0), X, range(1, 6), CrossValidation("entries", hide=hide), random_state=0
        )
    assert found.best_params == {"n_components": 3}


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_the_progress_of_a_penalized_fit_is_told_at_any_size(scale):
    X = np.random.default_rng(0).random((20, 5)) * scale
    model = NMF(2, beta_loss="kullback-leibler", alpha_W=0.01, l1_ratio=0.5, random_state=0, max_iter=50, tol=1e-2).fit(
        X
    )
    assert not np.isnan([step["objective"] for step in model.trace_]).any() and np.isfinite(model.components_).all()


def parts_table(dtype=np.float64, n=120, d=20, k=3):
    rng = np.random.default_rng(0)
    amounts = rng.gamma(1.0, size=(n, k)) * (rng.random((n, k)) < 0.6)
    return (amounts @ rng.gamma(1.0, size=(k, d)) + 0.05 * rng.random((n, d))).astype(dtype)


KINDS = [
    {"solver": solver, "beta_loss": loss} for solver in ("hals", "mu") for loss in ("frobenius", "kullback-leibler")
]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("dtype, value", [(np.float64, 1e300), (np.float32, 1e20), (np.float32, 9.97e36)])
@pytest.mark.parametrize("form", ["dense", "sparse", "gaps"])
@pytest.mark.parametrize("settings", [*KINDS, {"init": "random"}, {"alpha_W": 1e-3, "l1_ratio": 0.5}], ids=str)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_rows_of_weight_zero_are_absent_whatever_they_hold(settings, form, dtype, value):
    X, weights = parts_table(dtype), np.ones(120)
    weights[::7] = 0
    if form == "gaps":
        X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    kind = csr_array if form == "sparse" else np.asarray
    model = NMF(3, max_iter=30, missing="ignore", **settings)
    left_out = clone(model).fit(kind(X[weights > 0]))
    X[weights == 0] = 0
    zeros = clone(model).fit(kind(X), sample_weight=weights)
    X[weights == 0] = value
    model.fit(kind(X), sample_weight=weights)
    double = dtype == np.float64
    # where rows lie changes the rounding of products, which decides in single precision when a fit ends
    for expected, rtol in ((zeros, 1e-8 if double else 1e-3), (left_out, 1e-8 if double else 0.1)):
        np.testing.assert_allclose(model.reconstruction_err_, expected.reconstruction_err_, rtol=rtol)
        if expected is zeros or double:
            np.testing.assert_allclose(model.components_, expected.components_, rtol=rtol, atol=rtol)
    assert np.isfinite(model.transform(kind(X))).all()


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("settings", [*KINDS, {"alpha_W": 1e-3, "alpha_H": 0, "l1_ratio": 0.5}], ids=str)
@pytest.mark.parametrize("form", ["dense", "sparse", "gaps"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_code_of_a_row_does_not_depend_on_other_rows(settings, form, dtype):
    model = NMF(3, max_iter=20, missing="ignore", **settings).fit(parts_table(dtype))
    X = parts_table(dtype)[:12]
    X[:7] *= np.array([1e4, 1e8, 1e12, 1e30, 1e-4, 1e-12, 1e-28], dtype)[:, None]
    if form == "gaps":
        X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    kind = csr_array if form == "sparse" else np.asarray
    together = model.transform(kind(X))
    alone = np.vstack([model.transform(kind(row[None])) for row in X])
    sizes = np.maximum(alone.max(axis=1, keepdims=True), np.finfo(dtype).tiny)
    np.testing.assert_allclose(together / sizes, alone / sizes, atol=1e-11 if dtype == np.float64 else 1e-5)
    if "alpha_W" not in settings:  # without penalty, the code of a multiple is the multiple of the code
        near = np.nanmax(X, axis=1, keepdims=True)
        unit = model.transform(kind(X / near))
        np.testing.assert_allclose(together / near, unit, rtol=1e-3, atol=1e-6 * unit.max())


@pytest.mark.parametrize("dtype, units", [(np.float64, (1e-250, 1e250)), (np.float32, (1e-30, 1e30))])
@pytest.mark.parametrize("loss", ["frobenius", "kullback-leibler"])
def test_batches_of_another_size_are_learned_from(loss, dtype, units):
    """Two batches in one unit after one of any size: what was learned tells the table in that unit."""
    X = parts_table(np.float64, n=360)
    for first in (0.0, *units, 1.0):
        model = NMF(3, beta_loss=loss, random_state=0)
        for start, unit in zip((0, 120, 240), (first, 1.0, 1.0)):
            model.partial_fit((unit * X[start : start + 120]).astype(dtype))
        assert np.isfinite(model.components_).all()
        told = model.inverse_transform(model.transform(X.astype(dtype)))
        assert np.linalg.norm(told - X) < 0.3 * np.linalg.norm(X), first


@pytest.mark.parametrize("loss", ["frobenius", "kullback-leibler"])
def test_batches_in_a_unit_of_a_power_of_two_give_the_same_parts(loss):
    """4⁶⁰ times the table is 2⁶⁰ times the components, though single precision needs another scale for it."""
    X = parts_table(np.float32, n=240)
    plain, scaled = (NMF(3, beta_loss=loss, random_state=0) for _ in range(2))
    for start in (0, 120):
        plain.partial_fit(X[start : start + 120])
        scaled.partial_fit(np.ldexp(X[start : start + 120], 60))
    np.testing.assert_allclose(np.ldexp(scaled.components_, -30), plain.components_, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("far", [1e4, 1e6])
def test_a_far_row_does_not_end_the_fit_of_the_others(far):
    rng = np.random.default_rng(0)
    X = rng.gamma(2.0, 1.0, (90, 2)) @ np.array([[4.0, 2.0, 0.0, 1.0, 0.0, 3.0], [0.0, 1.0, 5.0, 2.0, 3.0, 0.0]])
    model = NMF(3, random_state=0).fit(np.vstack([X, far * np.arange(1.0, 7.0)]))
    rebuilt = model.inverse_transform(model.transform(X))
    assert np.linalg.norm(rebuilt - X) < 0.01 * np.linalg.norm(X)


IS = "itakura-saito"


def itakura_saito(X, Y):
    return float(np.nansum(X / Y - np.log(X / Y) - 1))


def spectra(seed, n=120, d=40, k=3, shape=2.0):
    """Powers of a few sources, which no two measurements give alike: gamma noise that multiplies."""
    rng = np.random.default_rng(seed)
    truth = rng.gamma(0.7, size=(n, k)) @ rng.gamma(0.5, size=(k, d)) + 1e-6
    return truth * rng.gamma(shape, 1 / shape, size=(n, d)), truth


@pytest.mark.parametrize("seed", range(6))
def test_itakura_saito_is_no_worse_than_scikit_learn(seed):
    X, _ = spectra(seed, k=2 + seed % 3, shape=[1.0, 4.0, 30.0][seed % 3])
    k = 2 + seed % 3
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reference = Reference(k, solver="mu", beta_loss=IS, init="nndsvda", random_state=0, max_iter=300).fit(X)
        model = NMF(k, beta_loss=IS, max_iter=300).fit(X)
    assert model.reconstruction_err_**2 <= reference.reconstruction_err_**2 * 1.001


@pytest.mark.parametrize("solver", ["hals", "mu"])
def test_itakura_saito_does_not_depend_on_units_of_rows_and_columns(solver):
    X, _ = spectra(0)
    start = np.random.default_rng(1)
    W, H = start.gamma(1.0, size=(120, 3)), start.gamma(1.0, size=(3, 40))
    rows, columns = 10.0 ** start.uniform(-3, 3, 120), 10.0 ** start.uniform(-3, 3, 40)
    model = NMF(3, solver=solver, beta_loss=IS, init="custom", tol=0, max_iter=30)
    plain = clone(model).fit(X, W=W, H=H)
    scaled = clone(model).fit(X * rows[:, None] * columns, W=W * rows[:, None], H=H * columns)
    np.testing.assert_allclose(scaled.components_, plain.components_ * columns, rtol=1e-8)
    assert scaled.reconstruction_err_ == pytest.approx(plain.reconstruction_err_, rel=1e-8)
    tiny = clone(model).fit(X * 2.0**-600, W=W * 2.0**-300, H=H * 2.0**-300)
    np.testing.assert_allclose(tiny.components_ * 2.0**300, plain.components_, rtol=1e-12)


@pytest.mark.parametrize("loss", [IS, -0.5, 0.5, 1.5, 3])
def test_error_is_the_divergence_for_every_beta(loss):
    X, _ = spectra(2)
    X[3, 5] = np.nan
    model = NMF(3, beta_loss=loss, max_iter=2000, tol=1e-3, missing="ignore")
    Z = model.fit_transform(X)
    np.testing.assert_array_equal(Z, model.transform(X))
    Y, b = model.inverse_transform(Z), 0 if loss == IS else loss
    seen = ~np.isnan(X)
    expected = itakura_saito(X, Y)
    if b:
        x, y = X[seen], Y[seen]
        expected = np.sum((x**b + (b - 1) * y**b - b * x * y ** (b - 1)) / (b * (b - 1)))
    assert model.reconstruction_err_ == pytest.approx(np.sqrt(2 * expected), rel=1e-9)


def test_itakura_saito_finds_planted_parts_behind_multiplicative_noise():
    X, truth = spectra(5, n=400, shape=3.0)
    model = NMF(3, beta_loss=IS, max_iter=2000, tol=1e-6).fit(X)
    told = model.inverse_transform(model.transform(X))
    assert itakura_saito(truth, told) < 0.1 * itakura_saito(truth, X)


def test_itakura_saito_weights_are_repetitions_and_gaps_are_left_out():
    X, _ = spectra(3, n=40)
    X[2, 3] = X[7, 1] = np.nan
    weights = np.random.default_rng(0).integers(0, 3, 40)
    X[weights == 0, 4] = 0.0  # what does not count may be zero
    start = np.ones((2, 40)) + np.eye(2, 40)
    model = NMF(2, beta_loss=IS, init=start, tol=0, max_iter=50, missing="ignore")
    weighted = clone(model).fit(X, sample_weight=weights)
    repeated = clone(model).fit(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(weighted.components_, repeated.components_, rtol=1e-8)
    assert weighted.reconstruction_err_ == pytest.approx(repeated.reconstruction_err_, rel=1e-9)


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_zeros_have_no_ratio(kind):
    X, _ = spectra(0)
    model = NMF(2, beta_loss=IS, max_iter=20, tol=0).fit(kind(X))
    X[5, 7] = 0
    with pytest.raises(ValueError, match="holds 1 zeros, the first in column 7; add a small amount"):
        NMF(2, beta_loss=IS).fit(kind(X))
    with pytest.raises(ValueError, match="zeros"):
        model.transform(kind(X))


@pytest.mark.parametrize("loss", ["poisson", None, np.nan, np.inf, True, [0]])
def test_unknown_losses_are_refused(loss):
    with pytest.raises(ValueError, match=r"beta_loss=.*give 'frobenius', .* or a number"):
        NMF(2, beta_loss=loss).fit(np.ones((4, 3)))


@pytest.mark.long
@pytest.mark.parametrize("loss", [IS, 0.5, 1.5, 3])
def test_rows_that_stream_under_any_divergence_come_near_the_whole(loss):
    X, _ = spectra(4, n=600, shape=20.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = NMF(3, beta_loss=loss, max_iter=1000).fit(X)
    streamed = NMF(3, beta_loss=loss)
    for _ in range(8):
        for part in np.array_split(X, 6):
            streamed.partial_fit(part)
    error = np.sqrt(2 * divergence_of(X, streamed.inverse_transform(streamed.transform(X)), loss))
    assert error <= 1.1 * whole.reconstruction_err_
    scaled = NMF(3, beta_loss=loss)
    for part in np.array_split(X * 2.0**-600, 6):
        scaled.partial_fit(part)
    again = NMF(3, beta_loss=loss)
    for part in np.array_split(X, 6):
        again.partial_fit(part)
    np.testing.assert_allclose(scaled.components_ * 2.0**300, again.components_, rtol=1e-6)


def divergence_of(X, Y, loss):
    if loss == IS:
        return itakura_saito(X, Y)
    return np.sum((X**loss + (loss - 1) * Y**loss - loss * X * Y ** (loss - 1)) / (loss * (loss - 1)))


@pytest.mark.parametrize("loss", [IS, 1.5])
def test_single_precision_is_kept_under_any_divergence(loss):
    X, _ = spectra(1)
    start = np.random.default_rng(0).gamma(1.0, size=(3, 40))
    single = NMF(3, beta_loss=loss, init=start, tol=0, max_iter=40).fit(X.astype(np.float32))
    double = NMF(3, beta_loss=loss, init=start, tol=0, max_iter=40).fit(X)
    assert single.components_.dtype == single.transform(X.astype(np.float32)).dtype == np.float32
    assert single.reconstruction_err_ == pytest.approx(double.reconstruction_err_, rel=1e-4)


@pytest.mark.parametrize("alpha", [1.0, 30.0])
def test_a_strong_squared_penalty_does_not_raise_the_kullback_leibler_objective(alpha):
    X = 100 * np.random.default_rng(0).gamma(0.5, size=(30, 10))
    model = NMF(3, solver="mu", beta_loss=KL, alpha_W=alpha, tol=0, max_iter=60).fit(X)
    values = np.array([row["objective"] for row in model.trace_])
    assert (np.diff(values) <= 1e-10 * values[0]).all()


@pytest.mark.parametrize("sparse", [False, True])
def test_codes_of_many_parts_under_kullback_leibler_are_optimal(sparse):
    """Karush, Kuhn and Tucker: the slope r_c - Σ_j x_j u_cj / y_j is 0 where a code is positive, and else not below."""
    generator = np.random.default_rng(0)
    parts = generator.exponential(size=(20, 60))
    X = generator.poisson(generator.exponential(size=(30, 20)) @ parts).astype(float)
    nmf = NMF(20, beta_loss="kullback-leibler", init=parts, max_iter=1, tol=0).fit(X)
    codes, U = nmf.transform(csr_array(X) if sparse else X), nmf.components_
    slopes = (1 - X / (codes @ U)) @ U.T / U.sum(axis=1)
    assert np.abs(slopes[codes > 0]).max() < 1e-9
    assert slopes.min() > -1e-9


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("beta", [-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0])
def test_one_number_says_how_good_the_fit_is(beta, weighted):
    """√(2 D(X, W H)) of what is returned, by the definition in extended precision, is the error and ends the trace."""
    generator = np.random.default_rng(1)
    X = generator.gamma(2.0, size=(30, 3)) @ generator.gamma(2.0, size=(3, 8)) * generator.gamma(9.0, 1 / 9, (30, 8))
    weights = generator.integers(0, 3, size=30).astype(float) if weighted else np.ones(30)
    nmf = NMF(3, beta_loss=beta, max_iter=5, tol=0, random_state=0)
    W = nmf.fit_transform(X, sample_weight=weights if weighted else None)
    np.testing.assert_array_equal(nmf.transform(X), W)
    x, y = X.astype(np.longdouble), (W @ nmf.components_).astype(np.longdouble)
    each = {
        0.0: lambda: x / y - np.log(x / y) - 1,
        1.0: lambda: x * np.log(x / y) - x + y,
    }.get(beta, lambda: (x**beta + (beta - 1) * y**beta - beta * x * y ** (beta - 1)) / (beta * (beta - 1)))()
    divergence = float(weights @ each.sum(axis=1))
    assert nmf.reconstruction_err_ == pytest.approx(np.sqrt(2 * divergence), rel=1e-9)
    assert nmf.trace_[-1]["objective"] == pytest.approx(divergence, rel=1e-9)


@pytest.mark.parametrize("beta", [0.0, 1.0, 2.0])
def test_the_trace_ends_with_the_penalties(beta):
    generator = np.random.default_rng(2)
    X = generator.gamma(2.0, size=(20, 6))
    nmf = NMF(2, beta_loss=beta, alpha_W=0.01, alpha_H=0.02, l1_ratio=0.3, max_iter=5, tol=0, random_state=0)
    W = nmf.fit_transform(X)

    def penalty(factor):
        return 0.3 * factor.sum() + 0.35 * (factor**2).sum()

    expected = nmf.reconstruction_err_**2 / 2 + 0.06 * penalty(W) + 0.4 * penalty(nmf.components_)
    assert nmf.trace_[-1]["objective"] == pytest.approx(expected, rel=1e-9)


def test_missing_cells_are_refused_unless_asked_for():
    X = np.random.default_rng(0).random((20, 4))
    X[3, 1] = np.nan
    for fit in (NMF(2).fit, NMF(2).fit_transform, NMF(2).partial_fit):
        with pytest.raises(ValueError, match=r'NaN: 1 of 80 entries, the first in column 1.*missing="ignore"'):
            fit(X)
    with pytest.raises(ValueError, match='missing="ignore"'):
        NMF(2).fit(X[4:]).transform(X)
    with pytest.raises(ValueError, match="missing='fill' is not known"):
        NMF(2, missing="fill").fit(X)
    assert not NMF().__sklearn_tags__().input_tags.allow_nan
    assert NMF(missing="ignore").__sklearn_tags__().input_tags.allow_nan


@pytest.mark.parametrize("loss", ["frobenius", KL])
def test_an_order_that_is_drawn_comes_to_the_same_parts(loss):
    Z, U = planted(60, 12, 3, zeros=0.5)
    settings = {"beta_loss": loss, "tol": 0, "max_iter": 400}
    plain = NMF(3, **settings).fit(Z @ U)
    for seed in range(3):
        drawn = NMF(3, shuffle=True, random_state=seed, **settings).fit(Z @ U)
        np.testing.assert_allclose(drawn.components_, plain.components_, atol=1e-3 * U.max())
        given = NMF(3, init=U[[2, 0, 1]] + 0.01, shuffle=True, random_state=seed, **settings).fit(Z @ U)
        assert match(given.components_, U) > 0.9999  # an order that is given stays
        assert [int(np.argmax(row @ U.T / np.linalg.norm(U, axis=1))) for row in given.components_] == [2, 0, 1]


def test_coordinate_descent_is_the_default_solver_of_least_squares():
    X = np.random.default_rng(0).random((20, 6))
    assert np.array_equal(NMF(2, solver="cd").fit(X).components_, NMF(2).fit(X).components_)
    with pytest.raises(ValueError, match="solver 'cd' does not handle beta_loss = 'kullback-leibler'"):
        NMF(2, solver="cd", beta_loss=KL).fit(X)


def test_starts_from_singular_vectors_differ_where_the_plain_one_is_zero():
    """As scikit-learn's do; random fillings are small, and repeat with the seed."""
    from unmix.algorithms.nonnegative.start import make_start
    from unmix.algorithms.nonnegative.table import sums

    X = as_blocks(np.random.default_rng(0).random((30, 8)))
    found = X.reduce(sums, 1.0)
    kinds = ("nndsvd", "nndsvda", "nndsvdar", "nndsvdar")
    plain, filled, drawn, again = (make_start(Problem(X, None, 1.0), 4, kind, found, 3) for kind in kinds)
    for zero, level, small, same in zip(plain[:2], filled[:2], drawn[:2], again[:2]):
        kept = zero > 0
        assert np.array_equal(zero[kept], small[kept]) and np.array_equal(zero[kept], level[kept])
        assert (small[~kept] > 0).all() and small[~kept].max() < 0.1 * level[~kept].min()
        assert np.array_equal(small, same)


def test_starts_that_cannot_be_had_are_refused_or_told():
    X = np.random.default_rng(0).random((6, 5))
    W, H = X[:, :2], X[:2]
    custom = NMF(2, init="custom")
    for words, given in (
        ("wrong first dimension passed to NMF .input W.. Expected 6, but got 5", {"W": W[:5], "H": H}),
        ("wrong second dimension passed to NMF .input W.. Expected 2, but got 3", {"W": X[:, :3], "H": H}),
        ("wrong first dimension passed to NMF .input H.. Expected 2, but got 3", {"W": W, "H": X[:3]}),
        ("Negative values in data passed to NMF .input H.", {"W": W, "H": -H}),
        ("NMF .input W. is full of zeros", {"W": 0 * W, "H": H}),
        ("needs codes W and components H", {"W": W}),
    ):
        with pytest.raises(ValueError, match=words):
            custom.fit(X, **given)
    for init in ("nndsvd", "nndsvda", "nndsvdar"):
        with pytest.raises(ValueError, match=r"n_components <= min\(n_samples, n_features\)"):
            NMF(6, init=init).fit(X)
    with pytest.warns(RuntimeWarning, match="provided W or H are ignored"):
        assert np.array_equal(NMF(2).fit(X, W=W, H=H).components_, NMF(2).fit(X).components_)
    with pytest.warns(UserWarning, match="cannot update zeros"):
        NMF(2, solver="mu", init="nndsvd", max_iter=2000).fit(X)


def test_what_is_recorded_is_printed_on_demand(capsys):
    X = np.random.default_rng(0).random((6, 5))
    quiet = NMF(2).fit(X)
    assert capsys.readouterr().out == ""
    loud = NMF(2, verbose=1).fit(X)
    assert len(capsys.readouterr().out.splitlines()) == len(loud.trace_)
    assert np.array_equal(quiet.components_, loud.components_)


def test_a_start_may_be_given_by_place_as_in_scikit_learn():
    X = np.random.default_rng(0).random((6, 5))
    model = NMF(2, init="custom", tol=0.1)
    assert np.array_equal(model.fit_transform(X, None, X[:, :2], X[:2]), model.fit_transform(X, W=X[:, :2], H=X[:2]))
