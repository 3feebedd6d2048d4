"""PCA against numpy, scikit-learn, and its own two objectives."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.stats import multivariate_normal
from sklearn.base import clone
from sklearn.decomposition import PCA as Reference
from sklearn.exceptions import ConvergenceWarning

from unmix.algorithms.principal.probabilistic_pca import fit_with_missing
from unmix.decomposition import PCA
from unmix.io.dispatch import as_blocks


@pytest.fixture
def X():
    rng = np.random.default_rng(0)
    return rng.standard_normal((150, 6)) @ rng.standard_normal((6, 6)) + rng.standard_normal(6) * 3


ATTRIBUTES = [
    "components_",
    "explained_variance_",
    "explained_variance_ratio_",
    "singular_values_",
    "mean_",
    "noise_variance_",
]


@pytest.mark.parametrize("solver", ["auto", "full", "covariance_eigh", "gram", "arpack", "randomized"])
@pytest.mark.parametrize("k", [1, 3, 0.9, None])
def test_agrees_with_scikit_learn(X, k, solver):
    if solver in ("arpack", "randomized") and k == 0.9:
        k = 2
    ours = PCA(k, svd_solver=solver, random_state=0).fit(X)
    theirs = Reference(k or (5 if solver == "arpack" else None), svd_solver="full").fit(X)
    for name in ATTRIBUTES:
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-10, err_msg=name)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), atol=1e-10)
    np.testing.assert_allclose(ours.get_covariance(), theirs.get_covariance(), atol=1e-10)
    np.testing.assert_allclose(ours.get_precision(), theirs.get_precision(), rtol=1e-7, atol=1e-10)
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X), rtol=1e-9)
    assert ours.score(X) == pytest.approx(theirs.score(X))


@pytest.mark.parametrize("rule", [0.5, 0.9, 0.999, "mle"])
def test_rules_agree_with_scikit_learn(X, rule):
    assert PCA(rule).fit(X).n_components_ == Reference(rule, svd_solver="full").fit(X).n_components_


def test_whitened_codes_have_unit_covariance(X):
    pca = PCA(4, whiten=True).fit(X)
    codes = pca.transform(X)
    np.testing.assert_allclose(np.cov(codes.T), np.eye(4), atol=1e-12)
    np.testing.assert_allclose(pca.inverse_transform(codes), PCA(4).fit(X).inverse_transform(PCA(4).fit_transform(X)))


@pytest.mark.parametrize("k", [1, 2, 5])
def test_both_objectives_agree(X, k):
    """Variance kept plus error made is the total, so the most of one is the least of the other."""
    pca = PCA(k).fit(X)
    centred = X - X.mean(axis=0)
    total = np.sum(centred**2)

    def kept_and_lost(U):
        return np.sum((centred @ U.T) ** 2), np.sum((centred - centred @ U.T @ U) ** 2)

    best_kept, least_lost = kept_and_lost(pca.components_)
    assert best_kept + least_lost == pytest.approx(total)
    assert least_lost == pytest.approx(total - np.sum(pca.singular_values_**2))
    rng = np.random.default_rng(0)
    for _ in range(50):
        kept, lost = kept_and_lost(np.linalg.qr(rng.standard_normal((6, k)))[0].T)
        assert kept < best_kept
        assert lost > least_lost


def test_reconstruction_is_exact_with_all_components(X):
    pca = PCA().fit(X)
    np.testing.assert_allclose(pca.inverse_transform(pca.transform(X)), X, atol=1e-12)


def test_single_precision_stays_single(X):
    pca = PCA(3).fit(X.astype(np.float32))
    assert {getattr(pca, name).dtype for name in ATTRIBUTES} == {np.dtype(np.float32)}
    assert pca.transform(X.astype(np.float32)).dtype == np.float32
    double = PCA(3).fit(X)
    np.testing.assert_allclose(pca.explained_variance_, double.explained_variance_, rtol=1e-5)


@pytest.mark.parametrize("k", [2, None])
def test_sparse_is_centred_implicitly(k):
    X = sp.random_array((120, 15), density=0.2, rng=np.random.default_rng(0), format="csr")
    ours, dense = PCA(k).fit(X), PCA(k).fit(X.toarray())
    np.testing.assert_allclose(ours.transform(X), dense.transform(X.toarray()), atol=1e-10)
    np.testing.assert_allclose(ours.score_samples(X), dense.score_samples(X.toarray()), atol=1e-8)


@pytest.mark.parametrize("missing", [False, True])
def test_weight_two_is_the_row_twice(X, missing):
    weights = np.random.default_rng(1).integers(0, 4, len(X))
    if missing:
        X[np.random.default_rng(2).random(X.shape) < 0.1] = np.nan
    weighted = PCA(3, tol=1e-12, missing="ignore").fit(X, sample_weight=weights)
    repeated = PCA(3, tol=1e-12, missing="ignore").fit(np.repeat(X, weights, axis=0))
    for name in ATTRIBUTES:
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name), atol=1e-4 if missing else 1e-10)


def test_weights_repeat_rows_where_rows_are_few():
    X = np.random.default_rng(0).standard_normal((4, 9))
    weighted, repeated = PCA().fit(X, sample_weight=[2, 1, 1, 2]), PCA().fit(X[[0, 0, 1, 2, 3, 3]])
    np.testing.assert_allclose(weighted.components_, repeated.components_, atol=1e-10)
    assert weighted.n_components_ == 6


@pytest.mark.parametrize("size", [1e300, 1e-300])
@pytest.mark.parametrize("missing", [False, True])
def test_extreme_scales(X, size, missing):
    if missing:
        X[::7, 2] = np.nan
    model = PCA(2, whiten=True, missing="ignore")
    plain, far = clone(model).fit(X), clone(model).fit(X * size)
    np.testing.assert_allclose(far.components_, plain.components_, atol=1e-9)
    np.testing.assert_allclose(far.explained_variance_ratio_, plain.explained_variance_ratio_, rtol=1e-9)
    np.testing.assert_allclose(far.singular_values_ / size, plain.singular_values_, rtol=1e-9)
    np.testing.assert_allclose(far.transform(X * size), plain.transform(X), atol=1e-8)
    # densities of x and of size * x differ by one factor an observed entry
    expected = plain.score_samples(X) - np.sum(~np.isnan(X), axis=1) * np.log(size)
    np.testing.assert_allclose(far.score_samples(X * size), expected, rtol=1e-9)


def test_missing_values_are_likely_under_the_model(X):
    gaps = X.copy()
    gaps[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    pca = PCA(3, missing="ignore").fit(gaps)
    covariance = pca.get_covariance()
    for row, value in zip(gaps[:20], pca.score_samples(gaps[:20])):
        seen = ~np.isnan(row)
        marginal = multivariate_normal(pca.mean_[seen], covariance[np.ix_(seen, seen)])
        assert value == pytest.approx(marginal.logpdf(row[seen]))


def test_variances_with_gaps_are_unbiased_too(X):
    gaps = X[:12].copy()
    gaps[3, 2] = np.nan
    model, _ = fit_with_missing(as_blocks(gaps), 3, weights=None, scale=1.0, max_iter=5000, tol=1e-13, seed=0)
    covariance = (model.loadings @ model.loadings.T + model.noise * np.eye(6)) * 12 / 11
    pca = PCA(3, tol=1e-13, max_iter=5000, missing="ignore").fit(gaps)
    np.testing.assert_allclose(pca.get_covariance(), covariance, rtol=1e-4)


def test_codes_of_gaps_use_the_conditional_mean(X):
    pca = PCA(3, missing="ignore").fit(X)
    row = X[:1].copy()
    row[0, [1, 4]] = np.nan
    seen, gone = [0, 2, 3, 5], [1, 4]
    covariance = pca.get_covariance()
    filled = row.copy()
    filled[0, gone] = pca.mean_[gone] + covariance[np.ix_(gone, seen)] @ np.linalg.solve(
        covariance[np.ix_(seen, seen)], (row - pca.mean_)[0, seen]
    )
    np.testing.assert_allclose(pca.transform(row), pca.transform(filled), atol=1e-9)
    np.testing.assert_allclose(pca.transform(np.full((1, 6), np.nan)), 0.0, atol=1e-12)


def test_gaps_are_filled_better_than_by_means():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 2)) @ rng.standard_normal((2, 8)) + 0.1 * rng.standard_normal((200, 8))
    hidden = rng.random(X.shape) < 0.2
    gaps = np.where(hidden, np.nan, X)
    pca = PCA(2, missing="ignore").fit(gaps)
    filled = pca.inverse_transform(pca.transform(gaps))
    by_mean = np.broadcast_to(np.nanmean(gaps, axis=0), X.shape)
    assert np.mean((filled - X)[hidden] ** 2) < 0.05 * np.mean((by_mean - X)[hidden] ** 2)


@pytest.mark.parametrize("rule", [None, 0.8, "mle", 6])
def test_rules_with_missing_values(X, rule):
    X[::9, 1] = np.nan
    pca = PCA(rule, missing="ignore").fit(X)
    assert pca.n_components_ >= 1
    np.testing.assert_allclose(pca.components_ @ pca.components_.T, np.eye(pca.n_components_), atol=1e-10)
    if pca.n_components_ == 6:
        assert np.sum(pca.explained_variance_ratio_) == pytest.approx(1.0)


def test_one_column_and_constant_columns():
    with pytest.raises(ValueError, match="strictly less than min"):
        PCA(svd_solver="arpack").fit(np.array([[1.0], [2.0], [4.0]]))
    one = PCA().fit(np.array([[1.0], [2.0], [4.0]]))
    assert one.explained_variance_[0] == pytest.approx(np.var([1, 2, 4], ddof=1))
    constant = PCA(2, whiten=True).fit(np.ones((5, 3)))
    assert not constant.explained_variance_.any()
    assert not constant.explained_variance_ratio_.any()
    assert np.isfinite(constant.transform(np.zeros((2, 3)))).all()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_components": 7}, "between 0 and min"),
        ({"n_components": -1}, "between 0 and min"),
        ({"n_components": 1.5}, "between 0 and min"),
        ({"n_components": True}, "between 0 and min"),
        ({"n_components": "most"}, "'mle'"),
        ({"n_components": 0, "svd_solver": "randomized"}, "between 1 and min"),
        ({"n_components": 0.5, "svd_solver": "arpack"}, "between 1 and min"),
        ({"n_components": 6, "svd_solver": "arpack"}, "strictly less than min"),
        ({"n_components": "mle", "svd_solver": "arpack"}, "cannot be a string"),
        ({"svd_solver": "best"}, "svd_solver='best' is not known"),
        ({"missing": "fill"}, "missing='fill' is not known"),
        ({"n_oversamples": 0}, "n_oversamples=0"),
        ({"iterated_power": -1}, "iterated_power=-1"),
        ({"power_iteration_normalizer": "SVD"}, "power_iteration_normalizer='SVD' is not known"),
        ({"tol": -1.0}, "tol=-1.0"),
    ],
)
def test_wrong_parameters_are_explained(X, options, words):
    with pytest.raises(ValueError, match=words):
        PCA(**options).fit(X)


def test_wrong_data_are_explained(X):
    with pytest.raises(ValueError, match="n_samples >= n_features"):
        PCA("mle").fit(X[:4])
    with pytest.raises(ValueError, match="must exceed 1"):
        PCA().fit(X, sample_weight=np.full(len(X), 1e-3))
    with pytest.raises(ValueError, match="no observed value"):
        PCA(1, missing="ignore").fit(np.full((5, 2), np.nan))
    with pytest.raises(ValueError, match="sparse table with NaN"):
        PCA(1, missing="ignore").fit(sp.csr_array(np.array([[np.nan, 1.0], [0.0, 2.0], [1.0, 0.0]])))
    with pytest.raises(ValueError, match="codes have 2 columns, expected 3"):
        PCA(3).fit(X).inverse_transform(X[:, :2])


def test_stopping_too_early_is_said(X):
    X[::3, 0] = np.nan
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        PCA(2, max_iter=1, missing="ignore").fit(X)


@pytest.mark.parametrize("value", [0.0, 3.0, 0.1, 1e300])
@pytest.mark.parametrize("n_components", [None, 2, 0.9])
def test_a_constant_table_with_gaps_is_one_without(value, n_components):
    X = np.full((20, 4), value)
    expected = PCA(n_components).fit(X)
    X[3, 1] = X[7, 0] = np.nan
    model = PCA(n_components, missing="ignore").fit(X)
    np.testing.assert_array_equal(model.components_, expected.components_)
    assert not model.explained_variance_.any() and model.noise_variance_ == 0
    np.testing.assert_allclose(model.mean_, value, rtol=1e-15)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), np.full((20, 4), value), rtol=1e-15)


def test_constant_columns_beside_gaps():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 5))
    X[:, 2] = 7.0
    X[rng.random(X.shape) < 0.05] = np.nan
    model = PCA(3, missing="ignore").fit(X)
    assert np.abs(model.components_[:, 2]).max() < 1e-6 and model.mean_[2] == pytest.approx(7.0)


@pytest.mark.parametrize("value", [1e6, 1e100, 1e200, 1e300])
@pytest.mark.parametrize("solver", ["covariance_eigh", "gram", "randomized", "gaps", "sparse"])
@pytest.mark.parametrize("unit", [1.0, 1e-200])
def test_rows_of_weight_zero_are_absent_whatever_they_hold(value, solver, unit):
    """They come first, where the mean is guessed from."""
    rng = np.random.default_rng(0)
    X, weights = unit * rng.normal(size=(300, 5)) @ np.diag([3.0, 2.0, 1.5, 1.0, 0.5]), np.ones(300)
    weights[:150] = 0
    if solver == "gaps":
        X[rng.random(X.shape) < 0.05] = np.nan
    kind, settings = (sp.csr_array, {}) if solver == "sparse" else (np.asarray, {"svd_solver": solver})
    model = PCA(3, **({"missing": "ignore"} if solver == "gaps" else settings))
    expected = clone(model).fit(kind(X[150:]))
    X[:150] = value
    model.fit(kind(X), sample_weight=weights)
    np.testing.assert_allclose(model.components_, expected.components_, atol=1e-9)
    np.testing.assert_allclose(model.singular_values_, expected.singular_values_, rtol=1e-9)
    np.testing.assert_allclose(model.mean_, expected.mean_, atol=1e-9 * unit)


def test_infinity_is_refused_in_rows_of_weight_zero():
    X, weights = np.random.default_rng(0).normal(size=(10, 3)), np.ones(10)
    X[4, 1], weights[4] = np.inf, 0
    with pytest.raises(ValueError, match="infinity"):
        PCA(2).fit(X, sample_weight=weights)


@pytest.mark.parametrize("dtype, error", [(np.float64, 1e-3), (np.float32, 1e-3)])
@pytest.mark.parametrize("far", [1e4, 1e6, 1e8, 1e12])
@pytest.mark.parametrize("solver", ["covariance_eigh", "gram", "randomized"])
def test_one_far_row_is_one_direction_and_leaves_the_others(far, solver, dtype, error):
    """Against exact arithmetic: fractions of whole numbers, whose scatter without the far direction is known."""
    rng = np.random.default_rng(0)
    X = rng.integers(-1000, 1000, (80, 4)).astype(dtype) / 512  # exact in either precision
    X = np.vstack([X, np.zeros(4, dtype)])
    X[-1, 0] = far
    model = PCA(4, svd_solver=solver).fit(X)
    wide = X.astype(np.longdouble)
    scatter = (wide - wide.mean(axis=0)).T @ (wide - wide.mean(axis=0))
    # the far direction is the first axis up to 1/far: the others are those of what it leaves (a Schur complement)
    rest = scatter[1:, 1:] - np.outer(scatter[1:, 0], scatter[0, 1:]) / scatter[0, 0]
    values, vectors = np.linalg.eigh(rest.astype(np.float64))
    np.testing.assert_allclose(model.singular_values_[1:], np.sqrt(values[::-1]), rtol=error)
    np.testing.assert_allclose(np.abs(model.components_[1:, 1:]), np.abs(vectors.T[::-1]), atol=10 * error)


def test_rounding_of_single_precision_is_no_direction():
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(80, 2)) @ rng.normal(size=(2, 6))).astype(np.float32)
    assert (PCA(6).fit(X).singular_values_ > 0).sum() == 2
    assert (PCA(6).fit(np.vstack([X, 1e8 * X[:1] + 1e8 * X[1:2]])).singular_values_ > 0).sum() == 2


@pytest.mark.parametrize("decades", [1.5, 3.0])
@pytest.mark.parametrize(
    "dtype, offset", [(np.float64, 0), (np.float64, 100), (np.float64, 100_000), (np.float32, 0), (np.float32, 100)]
)
def test_rank_in_mixed_units(dtype, decades, offset):
    """Whole numbers, of which four sources make six channels: the rank is exact in any unit that is a power of two."""
    for seed in range(10):
        generator = np.random.default_rng(seed)
        sources, mixing = generator.integers(-99, 99, size=(300, 4)), generator.integers(-9, 9, size=(4, 6))
        rows = sources @ mixing + offset * generator.integers(-9, 9, size=6)
        units = np.exp2(np.round(generator.uniform(-decades, decades, size=6) * np.log2(10)))
        assert np.linalg.matrix_rank(mixing) == 4
        pca = PCA(whiten=True).fit((rows * units).astype(dtype))
        codes = pca.transform((rows * units).astype(dtype))
        assert np.count_nonzero(pca.singular_values_) == 4
        assert (codes[:, 4:] == 0).all()
        np.testing.assert_allclose(codes[:, :4].std(axis=0, ddof=1), 1, rtol=1e-3)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_weak_directions_of_mixed_units_are_kept(dtype):
    """Independent channels over nine decades; the variances are those of the channels, to rounding."""
    generator = np.random.default_rng(0)
    rows = (np.linalg.qr(generator.normal(size=(400, 4)))[0] * [1e5, 1e2, 1e-1, 1e-4]).astype(dtype)
    pca = PCA(whiten=True).fit(rows)
    np.testing.assert_allclose(pca.singular_values_, np.linalg.norm(rows - rows.mean(axis=0), axis=0), rtol=1e-2)
    np.testing.assert_allclose(pca.transform(rows).std(axis=0, ddof=1), 1, rtol=1e-3)


def test_rounding_far_from_zero_is_no_direction():
    """Rows that differ by 1 at 10⁸: a third channel that is their sum adds what was rounded, and no direction."""
    generator = np.random.default_rng(0)
    two = generator.normal(size=(500, 2)) + 1e8
    pca = PCA(whiten=True).fit(np.column_stack([two, two.sum(axis=1) / 3]))
    assert np.count_nonzero(pca.singular_values_) == 2


def test_missing_cells_are_refused_unless_asked_for(X):
    X[3, 1] = np.nan
    remedy = 'contains NaN: 1 of 900 entries, the first in column 1.*missing="ignore"'
    for fit in (PCA(2).fit, PCA(2).fit_transform, lambda rows: PCA(2).fit(rows, sample_weight=np.arange(150) % 3)):
        with pytest.raises(ValueError, match=remedy):
            fit(X)
    model = PCA(2).fit(X[4:])
    for method in (model.transform, model.score_samples, model.score):
        with pytest.raises(ValueError, match='missing="ignore"'):
            method(X)
    assert not model.__sklearn_tags__().input_tags.allow_nan
    assert PCA(missing="ignore").__sklearn_tags__().input_tags.allow_nan


def test_ignoring_what_is_not_missing_changes_no_bit(X):
    plain, ignoring = PCA(3).fit(X), PCA(3, missing="ignore").fit(X)
    assert np.array_equal(plain.components_, ignoring.components_)
    assert np.array_equal(plain.transform(X), ignoring.transform(X))


@pytest.mark.parametrize(
    "settings",
    [
        {"iterated_power": 0},
        {"n_oversamples": 1},
        {"power_iteration_normalizer": "none"},
        {"tol": 0.1},
        {"copy": False},
    ],
)
@pytest.mark.parametrize("solver", ["arpack", "randomized", "auto"])
def test_settings_of_effort_change_no_bit(X, solver, settings):
    before = X.copy()
    plain, other = PCA(2, svd_solver=solver).fit(X), PCA(2, svd_solver=solver, **settings).fit(X)
    assert np.array_equal(plain.components_, other.components_)
    assert np.array_equal(X, before)


def test_no_components_leave_one_gaussian_of_equal_variances(X):
    """Also with gaps: a covariance of noise alone, whose density is known."""
    pca = PCA(0).fit(X)
    assert pca.n_components_ == 0 and pca.transform(X).shape == (150, 0)
    np.testing.assert_allclose(pca.get_covariance(), X.var(axis=0, ddof=1).mean() * np.eye(6), rtol=1e-12, atol=1e-12)
    expected = multivariate_normal(X.mean(axis=0), pca.get_covariance()).logpdf(X)
    np.testing.assert_allclose(pca.score_samples(X), expected, rtol=1e-9)
    np.testing.assert_allclose(pca.inverse_transform(pca.transform(X)), np.tile(X.mean(axis=0), (150, 1)))
    X[2, 3] = np.nan
    gaps = PCA(0, missing="ignore").fit(X)
    np.testing.assert_allclose(gaps.noise_variance_, pca.noise_variance_, rtol=0.02)
