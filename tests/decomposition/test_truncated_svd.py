import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.decomposition import TruncatedSVD as Reference
from sklearn.exceptions import ConvergenceWarning

from unmix.decomposition import TruncatedSVD


@pytest.mark.parametrize("algorithm", ["auto", "covariance", "gram", "arpack", "randomized"])
@pytest.mark.parametrize("sparse", [False, True])
def test_agrees_with_scikit_learn(algorithm, sparse):
    X = sp.random_array((90, 30), density=0.3, rng=np.random.default_rng(0), format="csr")
    X = X if sparse else X.toarray() + 1
    ours = TruncatedSVD(4, algorithm=algorithm, random_state=0).fit(X)
    theirs = Reference(4, algorithm="arpack", random_state=0).fit(X)
    for name in ("components_", "singular_values_", "explained_variance_", "explained_variance_ratio_"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-9, err_msg=name)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), atol=1e-9)
    np.testing.assert_allclose(ours.inverse_transform(ours.transform(X)), theirs.inverse_transform(theirs.transform(X)))


@pytest.mark.parametrize("k", [1, 3])
def test_error_is_the_next_singular_value(k):
    X = np.random.default_rng(0).standard_normal((20, 8)) + 2
    svd = TruncatedSVD(k).fit(X)
    left_over = X - svd.inverse_transform(svd.transform(X))
    singular = np.linalg.svd(X, compute_uv=False)
    assert np.linalg.norm(left_over, 2) == pytest.approx(singular[k])
    assert np.linalg.norm(left_over) == pytest.approx(np.sqrt(np.sum(singular[k:] ** 2)))


def test_weight_two_is_the_row_twice():
    X = np.random.default_rng(0).standard_normal((30, 5))
    weights = np.random.default_rng(1).integers(0, 3, 30)
    weighted, repeated = TruncatedSVD(3).fit(X, sample_weight=weights), TruncatedSVD(3).fit(np.repeat(X, weights, 0))
    for name in ("components_", "singular_values_", "explained_variance_", "explained_variance_ratio_"):
        np.testing.assert_allclose(getattr(weighted, name), getattr(repeated, name), atol=1e-10)


def test_fewer_rows_than_components_leaves_zeros():
    svd = TruncatedSVD(3).fit(np.array([[3.0, 4.0, 0.0, 0.0]]))
    np.testing.assert_allclose(svd.singular_values_, [5.0, 0.0, 0.0])
    np.testing.assert_allclose(svd.components_ @ svd.components_.T, np.eye(3), atol=1e-14)


def test_refusals():
    X = np.ones((4, 3))
    with pytest.raises(ValueError, match="between 1 and n_features=3"):
        TruncatedSVD(4).fit(X)
    for settings, words in (
        ({"algorithm": "best"}, "algorithm='best' is not known"),
        ({"n_components": 3, "algorithm": "arpack"}, "strictly less than min"),
        ({"n_iter": -1}, "n_iter=-1"),
        ({"n_oversamples": 0}, "n_oversamples=0"),
        ({"power_iteration_normalizer": "SVD"}, "is not known"),
        ({"tol": -1.0}, "tol=-1.0"),
    ):
        with pytest.raises(ValueError, match=words):
            TruncatedSVD(**({"n_components": 1} | settings)).fit(X)
    X[1, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        TruncatedSVD(1).fit(X)


@pytest.mark.parametrize("algorithm", ["covariance", "gram", "randomized"])
@pytest.mark.parametrize("value", [1e20, 1e300])
def test_rows_of_weight_zero_are_absent_whatever_they_hold(algorithm, value):
    X, weights = 1e-200 * np.random.default_rng(0).normal(size=(200, 6)), np.ones(200)
    weights[:140] = 0
    expected = TruncatedSVD(2, algorithm=algorithm).fit(X[140:])
    X[:140] = value
    for kind in (np.asarray, sp.csr_array):
        model = TruncatedSVD(2, algorithm=algorithm).fit(kind(X), sample_weight=weights)
        np.testing.assert_allclose(model.components_, expected.components_, atol=1e-9)
        np.testing.assert_allclose(model.singular_values_, expected.singular_values_, rtol=1e-9)


@pytest.mark.parametrize(
    "settings", [{"n_iter": 0}, {"n_oversamples": 1}, {"power_iteration_normalizer": "QR"}, {"tol": 0.1}]
)
@pytest.mark.parametrize("algorithm", ["arpack", "randomized", "auto"])
def test_settings_of_effort_change_no_bit(algorithm, settings):
    X = np.random.default_rng(0).standard_normal((40, 12))
    plain, other = TruncatedSVD(algorithm=algorithm).fit(X), TruncatedSVD(algorithm=algorithm, **settings).fit(X)
    assert np.array_equal(plain.components_, other.components_)


def test_stopping_too_early_is_said(monkeypatch):
    X = np.random.default_rng(0).standard_normal((200, 60))
    monkeypatch.setattr("unmix.decomposition.truncated_svd.MOST_PASSES", 1)
    model = TruncatedSVD(2, algorithm="randomized", n_iter=1)
    with pytest.warns(ConvergenceWarning, match="in 1 passes .* raise n_iter"):
        model.fit(X)
    model.set_params(n_iter=100).fit(X)  # a warning would be an error
