"""One Gaussian against closed forms, quadrature, scipy's density and scikit-learn's shrinkage."""

import numpy as np
import pandas
import pytest
from scipy.sparse import csr_array
from scipy.stats import chi2, kstest, multivariate_normal
from sklearn.covariance import LedoitWolf

import unmix
from unmix.density import Gaussian, GaussianMixture

rng = np.random.default_rng(0)
MIX = np.array([[2.0, 0.0, 0.0], [1.0, 1.0, 0.0], [-0.5, 0.3, 0.2]])
X = rng.normal(size=(200, 3)) @ MIX.T + [10.0, -3.0, 100.0]


def with_gaps(share=0.3):
    gaps = X.copy()
    gaps[np.random.default_rng(1).random(X.shape) < share] = np.nan
    return gaps


@pytest.mark.parametrize("unbiased", [False, True])
def test_mean_and_covariance_are_the_closed_forms(unbiased):
    model = Gaussian(unbiased=unbiased).fit(X)
    np.testing.assert_allclose(model.mean_, X.mean(axis=0), rtol=1e-12)
    expected = np.cov(X, rowvar=False, bias=not unbiased)
    np.testing.assert_allclose(model.covariance_, expected, rtol=1e-9)
    np.testing.assert_allclose(model.precision_ @ expected, np.eye(3), atol=1e-8)
    np.testing.assert_allclose(model.precision_cholesky_ @ model.precision_cholesky_.T, model.precision_, rtol=1e-9)
    assert model.n_iter_ == 0


def test_weights_are_repeats_also_in_the_bias():
    weights = rng.integers(0, 4, len(X))
    for options in ({"unbiased": True}, {"shrinkage": "ledoit-wolf"}, {"shrinkage": 0.3}):
        weighted = Gaussian(**options).fit(X, sample_weight=weights)
        repeated = Gaussian(**options).fit(np.repeat(X, weights, axis=0))
        np.testing.assert_allclose(weighted.covariance_, repeated.covariance_, rtol=1e-9)
        assert weighted.shrinkage_ == pytest.approx(repeated.shrinkage_, rel=1e-9)


def test_log_density_is_scipys():
    model = Gaussian().fit(X)
    peer = multivariate_normal(X.mean(axis=0), np.cov(X, rowvar=False, bias=True))
    np.testing.assert_allclose(model.score_samples(X), peer.logpdf(X), rtol=1e-9)
    assert model.score(X) == pytest.approx(peer.logpdf(X).mean())


def test_density_of_what_is_observed_is_the_marginal():
    model = Gaussian(missing="ignore").fit(X)
    rows = np.array([[9.0, np.nan, 101.0], [np.nan, np.nan, np.nan], [np.nan, -2.0, np.nan]])
    S = np.cov(X, rowvar=False, bias=True)
    u = X.mean(axis=0)
    expected = [
        multivariate_normal(u[[0, 2]], S[np.ix_([0, 2], [0, 2])]).logpdf([9.0, 101.0]),
        0.0,
        multivariate_normal(u[1], S[1, 1]).logpdf(-2.0),
    ]
    np.testing.assert_allclose(model.score_samples(rows), expected, rtol=1e-9, atol=1e-12)


def test_density_integrates_to_one():
    model = Gaussian(shrinkage=0.2).fit(X[:, :2])
    a, b = (np.linspace(u - 20, u + 20, 81) for u in model.mean_)  # the sum over a fine grid is exact for Gaussians
    grid = np.stack(np.meshgrid(a, b), axis=-1).reshape(-1, 2)
    total = np.exp(model.score_samples(grid)).sum() * (a[1] - a[0]) * (b[1] - b[0])
    assert total == pytest.approx(1, abs=1e-9)


def test_samples_follow_the_density():
    model = Gaussian(random_state=0).fit(X)
    drawn = model.sample(5000)
    away = (drawn - model.mean_) @ model.precision_cholesky_  # standard normal, if the rows are drawn rightly
    assert kstest((away**2).sum(axis=1), chi2(3).cdf).pvalue > 0.01
    for j in range(3):
        assert kstest(away[:, j], "norm").pvalue > 0.01
    np.testing.assert_allclose(np.corrcoef(away.T), np.eye(3), atol=0.06)
    np.testing.assert_array_equal(drawn, model.sample(5000))


def test_monotone_gaps_have_a_closed_form():
    # Anderson 1957: with the second column missing in some rows, its regression on the first carries over to all rows
    rows = X[:, :2].copy()
    rows[120:, 1] = np.nan
    model = Gaussian(tol=1e-14, max_iter=5000, missing="ignore").fit(rows)
    a, (b, c) = rows[:, 0], rows[:120].T
    slope = np.cov(b, c, bias=True)[0, 1] / b.var()
    mean = c.mean() + slope * (a.mean() - b.mean())
    variance = c.var() + slope**2 * (a.var() - b.var())
    np.testing.assert_allclose(model.mean_, [a.mean(), mean], rtol=1e-7)
    np.testing.assert_allclose(model.covariance_, [[a.var(), slope * a.var()], [slope * a.var(), variance]], rtol=1e-5)


def test_gaps_are_those_of_a_mixture_of_one():
    model = Gaussian(tol=1e-12, missing="ignore").fit(with_gaps())
    mixture = GaussianMixture(1, tol=1e-12, max_iter=1000, missing="ignore").fit(with_gaps())
    np.testing.assert_allclose(model.covariance_, mixture.covariances_[0], rtol=1e-4)
    np.testing.assert_allclose(model.score_samples(with_gaps()), mixture.score_samples(with_gaps()), rtol=1e-4)
    rises = np.diff([row["log_likelihood"] for row in model.trace_])
    assert model.n_iter_ > 2 and (rises > -1e-9).all()


@pytest.mark.parametrize("rows", [X, X[:12], rng.normal(size=(15, 40))])
def test_shrinkage_is_ledoit_and_wolfs(rows):
    model, peer = Gaussian(shrinkage="ledoit-wolf").fit(rows), LedoitWolf().fit(rows)
    assert model.shrinkage_ == pytest.approx(peer.shrinkage_, rel=1e-9)
    np.testing.assert_allclose(model.covariance_, peer.covariance_, rtol=1e-8, atol=1e-12)


def test_given_shrinkage_draws_towards_the_ball():
    S = np.cov(X, rowvar=False, bias=True)
    expected = 0.75 * S + 0.25 * np.trace(S) / 3 * np.eye(3)
    np.testing.assert_allclose(Gaussian(shrinkage=0.25).fit(X).covariance_, expected, rtol=1e-9)
    gaps = Gaussian(shrinkage=1.0, missing="ignore").fit(with_gaps())
    np.testing.assert_allclose(gaps.covariance_, gaps.covariance_[0, 0] * np.eye(3), rtol=1e-9)


def test_units_of_columns_do_not_matter():
    units = np.array([2.0**300, 1.0, 2.0**-300])
    plain, other = Gaussian().fit(X), Gaussian().fit(X * units)
    np.testing.assert_allclose(other.mean_, plain.mean_ * units, rtol=1e-12)
    np.testing.assert_allclose(other.score_samples(X * units), plain.score_samples(X) - np.log(units).sum(), rtol=1e-9)


def test_directions_without_variance_are_raised_and_named():
    flat = np.column_stack([X[:, 0], X[:, 0], np.full(len(X), 7.0)])
    with pytest.warns(UserWarning, match="2 of 3 direction.*reg_covar"):
        model = Gaussian(reg_covar=1e-6).fit(flat)
    assert np.isfinite(model.score_samples(flat)).all()
    assert model.score_samples(flat[:1])[0] > model.score_samples(flat[:1] + np.array([0, 0.1, 0]))[0] + 100
    Gaussian(shrinkage=0.1).fit(flat)  # shrinkage gives every direction a variance, and there is nothing to warn of


def test_sparse_and_single_precision():
    sparse = np.where(rng.random(X.shape) < 0.5, 0.0, X)
    dense, held = Gaussian().fit(sparse), Gaussian().fit(csr_array(sparse))
    np.testing.assert_allclose(held.covariance_, dense.covariance_, rtol=1e-9)
    single = Gaussian(random_state=0).fit(X.astype(np.float32))
    assert single.covariance_.dtype == single.sample(2).dtype == np.float32
    np.testing.assert_allclose(single.covariance_, Gaussian().fit(X).covariance_, rtol=1e-3)


def test_saved_and_loaded(tmp_path):
    model = Gaussian(random_state=3).fit(pandas.DataFrame(X, columns=["a", "b", "c"]))
    model.save(tmp_path / "g.unmix")
    back = unmix.load(tmp_path / "g.unmix")
    np.testing.assert_array_equal(back.sample(5), model.sample(5))
    assert list(back.feature_names_in_) == ["a", "b", "c"]


@pytest.mark.parametrize(
    "options, data, message",
    [
        ({"shrinkage": 1.5}, X, "shrinkage=1.5"),
        ({"shrinkage": "much"}, X, "shrinkage='much'"),
        ({"shrinkage": "ledoit-wolf", "missing": "ignore"}, with_gaps(), "complete rows"),
        ({"unbiased": 1}, X, "unbiased=1"),
        ({"unbiased": True}, X[:1], "unbiased=True"),
        ({"tol": -1}, X, "tol=-1"),
        ({"max_iter": 0}, X, "max_iter=0"),
        ({}, X * 1e-310, "too little for float64"),
        ({}, (X * 1e-40).astype(np.float32), "too little for float32"),
    ],
)
def test_impossible_parameters_are_named(options, data, message):
    with pytest.raises(ValueError, match=message):
        Gaussian(**options).fit(data)
