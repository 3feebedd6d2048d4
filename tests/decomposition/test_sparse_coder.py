"""The estimator around the pursuits: dictionaries by name, gaps, and codes in the container asked for."""

import numpy as np
import pytest
from scipy.sparse import csr_array, issparse
from sklearn.decomposition import sparse_encode
from sklearn.exceptions import ConvergenceWarning

from unmix.decomposition import SparseCoder, dct_basis, fourier_basis, overcomplete_dct


@pytest.fixture
def signals():
    return np.random.default_rng(0).normal(size=(40, 16)).cumsum(axis=1)


def test_named_dictionaries(signals):
    for name, U in [
        ("dct", dct_basis(16)),
        ("fourier", fourier_basis(16)),
        ("overcomplete_dct", overcomplete_dct(32, 16)),
    ]:
        coder = SparseCoder(name, transform_n_nonzero_coefs=3).fit(signals)
        np.testing.assert_array_equal(coder.components_, U)
        np.testing.assert_array_equal(
            coder.transform(signals), SparseCoder(U, transform_n_nonzero_coefs=3).fit(signals).transform(signals)
        )


def test_in_a_basis_pursuit_keeps_the_largest_coefficients(signals):
    U = dct_basis(16)
    code = signals @ U.T
    smallest = np.argsort(np.abs(code), axis=1)[:, :-4]
    np.put_along_axis(code, smallest, 0.0, axis=1)
    for method in ("omp", "mp"):
        got = SparseCoder(transform_algorithm=method, transform_n_nonzero_coefs=4).fit(signals).transform(signals)
        np.testing.assert_allclose(got, code, atol=1e-9)
    shrunk = np.sign(signals @ U.T) * np.maximum(np.abs(signals @ U.T) - 0.7, 0)
    got = SparseCoder(transform_algorithm="lasso_lars", transform_alpha=0.7).fit(signals).transform(signals)
    np.testing.assert_allclose(got, shrunk, atol=1e-9)


def test_a_tenth_of_the_columns_or_as_many_as_it_takes(signals):
    assert (SparseCoder().fit(signals).transform(signals) != 0).sum(axis=1).max() == 1
    coder = SparseCoder(transform_tol=0.5).fit(signals)
    assert (np.linalg.norm(signals - coder.inverse_transform(coder.transform(signals)), axis=1) <= 0.5).all()


def test_codes_in_the_container_asked_for(signals):
    dense = SparseCoder(transform_n_nonzero_coefs=3).fit(signals)
    stored = SparseCoder(transform_n_nonzero_coefs=3, output="sparse").fit(signals)
    codes = stored.transform(signals)
    assert issparse(codes) and np.array_equal(codes.toarray(), dense.transform(signals))
    np.testing.assert_allclose(stored.inverse_transform(codes), dense.inverse_transform(codes.toarray()))


@pytest.mark.parametrize("method", ["omp", "mp", "lasso_lars"])
def test_gaps_are_for_dense_tables(signals, method):
    gappy = signals.copy()
    gappy[3, 5] = np.nan
    whole, filled = (
        SparseCoder(transform_algorithm=method, transform_n_nonzero_coefs=3, transform_alpha=0.3, missing="ignore").fit(
            X
        )
        for X in (signals, gappy)
    )
    different = ~np.isclose(whole.transform(signals), filled.transform(gappy), rtol=1e-12, atol=1e-12).all(axis=1)
    assert np.flatnonzero(different).tolist() in ([3], [])
    assert np.isfinite(filled.inverse_transform(filled.transform(gappy))).all()
    with pytest.raises(ValueError, match="NaN"):
        SparseCoder(transform_algorithm=method).fit(csr_array(gappy))


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1e160, 1e300])
@pytest.mark.parametrize("method", ["omp", "mp"])
def test_scale_does_not_matter(signals, scale, method):
    plain = SparseCoder("overcomplete_dct", transform_algorithm=method, transform_n_nonzero_coefs=3).fit(signals)
    expected = plain.transform(signals)
    mixed = signals.copy()
    mixed[::2] *= scale
    got = plain.transform(mixed)
    np.testing.assert_allclose(got[1::2], expected[1::2], atol=1e-12)
    np.testing.assert_allclose(got[::2] / scale, expected[::2], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("method", ["omp", "mp"])
@pytest.mark.parametrize("sigma", [0.5, 0.1, 0.01])
@pytest.mark.parametrize("gaps", [False, True])
def test_a_relative_error_is_a_share_of_each_row(method, sigma, gaps):
    rng = np.random.default_rng(0)
    atoms = rng.normal(size=(40, 20))
    X = rng.normal(size=(30, 4)) @ atoms[:4] + 0.1 * rng.normal(size=(30, 20))
    if gaps:
        X[rng.random(X.shape) < 0.2] = np.nan
    X[7] = np.where(np.isnan(X[7]), np.nan, 0.0)  # a silent row has a silent code
    seen = np.where(np.isnan(X), 0.0, X)
    coder = SparseCoder(atoms, transform_algorithm=method, transform_relative_tol=sigma, missing="ignore").fit(X)
    Z = coder.transform(X)
    left = np.linalg.norm(np.where(np.isnan(X), 0.0, X - Z @ atoms), axis=1)
    assert (left <= sigma * np.linalg.norm(seen, axis=1) * (1 + 1e-9)).all()
    assert not Z[7].any()
    for i in (0, 12, 25):  # the same as the absolute error of that size, row by row
        known = ~np.isnan(X[i])
        allowed = sigma * np.linalg.norm(seen[i]) * np.sqrt(len(known) / known.sum())
        alone = (
            SparseCoder(atoms, transform_algorithm=method, transform_tol=allowed, missing="ignore")
            .fit(X[[i]])
            .transform(X[[i]])
        )
        np.testing.assert_allclose(Z[i], alone[0], atol=1e-9)
    units = 2.0 ** rng.integers(-300, 300, 30)
    np.testing.assert_allclose(coder.transform(X * units[:, None]) / units[:, None], Z, rtol=1e-9, atol=1e-12)


def test_one_more_atom_is_taken_only_while_the_share_is_too_large():
    U = np.eye(4)
    x = [[8.0, 4.0, 2.0, 1.0]]
    lengths = np.sqrt([85, 21, 5, 1, 0])
    for count in range(1, 5):
        share = (lengths[count] / lengths[0] + lengths[count - 1] / lengths[0]) / 2
        for method in ("omp", "mp"):
            assert (
                np.count_nonzero(
                    SparseCoder(U, transform_algorithm=method, transform_relative_tol=share).fit(x).transform(x)
                )
                == count
            )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"transform_relative_tol": -0.1}, "relative_tol=-0.1: give a share"),
        ({"transform_relative_tol": 1.0}, "relative_tol=1.0: give a share"),
        (
            {"transform_relative_tol": 0.1, "transform_tol": 0.1},
            "transform_tol=0.1 and transform_relative_tol=0.1 both say when",
        ),
    ],
)
def test_relative_errors_that_are_none(given, words):
    with pytest.raises(ValueError, match=words):
        SparseCoder(np.eye(3), **given).fit(np.ones((2, 3)))


@pytest.mark.parametrize("algorithm", ["lasso_lars", "lasso_cd", "lars", "omp", "threshold"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_codes_are_those_of_the_peer(signals, algorithm, dtype):
    U = overcomplete_dct(32, 16).astype(dtype)
    X = signals.astype(dtype)
    coder = SparseCoder(U, transform_algorithm=algorithm, transform_n_nonzero_coefs=3, transform_alpha=0.8)
    codes = coder.transform(X)  # without a fit
    expected = sparse_encode(
        signals, U.astype(np.float64), algorithm=algorithm, n_nonzero_coefs=3, alpha=0.8, max_iter=100_000
    )
    assert codes.dtype == dtype and coder.n_components_ == 32
    np.testing.assert_allclose(codes, expected, atol=2e-3 if dtype == np.float32 else 1e-3)
    np.testing.assert_array_equal(coder.fit(X).transform(X), codes)
    np.testing.assert_allclose(SparseCoder(U).inverse_transform(codes), codes @ U)


@pytest.mark.parametrize("algorithm", ["lasso_lars", "threshold"])
def test_positive_codes_are_the_best_of_their_sign(signals, algorithm):
    U = overcomplete_dct(32, 16)
    coder = SparseCoder(U, transform_algorithm=algorithm, transform_alpha=0.5, positive_code=True)
    codes = coder.transform(signals)
    assert (codes >= 0).all() and (codes > 0).any()
    if algorithm == "threshold":
        np.testing.assert_allclose(codes, np.maximum(signals @ U.T - 0.5, 0), atol=1e-12)
    else:  # no atom is worth more than its price, and those in use are worth it exactly
        worth = (signals - codes @ U) @ U.T
        assert (worth <= 0.5 + 1e-9).all()
        np.testing.assert_allclose(worth[codes > 0], 0.5)
    assert (SparseCoder(U, transform_algorithm=algorithm, transform_alpha=0.5).transform(signals) < 0).any()


@pytest.mark.parametrize("algorithm", ["omp", "mp", "lars"])
def test_a_pursuit_cannot_keep_signs(signals, algorithm):
    with pytest.raises(ValueError, match=f"Positive constraint not supported for '{algorithm}'"):
        SparseCoder(transform_algorithm=algorithm, positive_code=True).fit(signals).transform(signals)


@pytest.mark.parametrize("output", ["dense", "sparse"])
def test_signs_apart(signals, output):
    plain = SparseCoder(transform_algorithm="threshold", output=output).fit(signals)
    apart = SparseCoder(transform_algorithm="threshold", output=output, split_sign=True).fit(signals)
    codes, halves = plain.transform(signals), apart.transform(signals)
    codes, dense = (part.toarray() if output == "sparse" else part for part in (codes, halves))
    assert (dense >= 0).all() and len(apart.get_feature_names_out()) == 32
    np.testing.assert_array_equal(dense[:, :16] - dense[:, 16:], codes)
    np.testing.assert_allclose(apart.inverse_transform(halves), plain.inverse_transform(codes), atol=1e-12)
    with pytest.raises(ValueError, match="Expected 32, got 16"):
        apart.inverse_transform(codes)


def test_codes_that_take_too_many_steps_are_told_of(signals):
    coder = SparseCoder("overcomplete_dct", transform_algorithm="lasso_cd", transform_alpha=0.01, transform_max_iter=2)
    with pytest.warns(ConvergenceWarning, match="raise transform_max_iter"):
        codes = coder.fit_transform(signals)
    assert (codes != 0).sum(axis=1).max() <= 2


@pytest.mark.parametrize("algorithm", ["lars", "threshold"])
def test_gaps_are_refused_where_they_cannot_be_left_out(signals, algorithm):
    signals[2, 3] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        SparseCoder(transform_algorithm=algorithm, missing="ignore").transform(signals)


def test_a_name_waits_for_the_columns(signals):
    with pytest.raises(ValueError, match="call fit"):
        SparseCoder("dct").inverse_transform(signals)
    assert SparseCoder("dct").transform(signals).shape == (40, 16)
