"""Dictionary learning finds planted atoms, mends bad starts, and fills gaps."""

from functools import partial

import numpy as np
import pytest
from sklearn.base import clone

from unmix.decomposition import DictionaryLearning, MiniBatchDictionaryLearning, SparseCoder, coherence


def planted(seed, n=600, d=12, k=20, s=2, snr=30.0):
    rng = np.random.default_rng(seed)
    atoms = rng.normal(size=(k, d))
    atoms /= np.linalg.norm(atoms, axis=1)[:, None]
    codes = np.zeros((n, k))
    for row in codes:
        row[rng.choice(k, s, replace=False)] = rng.normal(size=s)
    X = codes @ atoms
    noise = rng.normal(size=X.shape)
    return X + noise * np.linalg.norm(X) / np.linalg.norm(noise) * 10 ** (-snr / 20), atoms


def recovered(model, atoms):
    return int((np.abs(atoms @ model.components_.T).max(axis=1) > 0.99).sum())


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("init, update", [("samples", "approximate"), ("random", "approximate"), ("dct", "exact")])
def test_planted_atoms_are_found(init, update):
    X, atoms = planted(0)
    model = DictionaryLearning(
        20, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, dict_init=init, update=update, random_state=0
    ).fit(X)
    assert recovered(model, atoms) >= (18 if update == "exact" else 19)
    again = model.inverse_transform(model.transform(X))
    np.testing.assert_allclose(np.linalg.norm(X - again), model.reconstruction_err_, rtol=1e-6)
    errors = [row["error"] for row in model.trace_]
    assert model.reconstruction_err_**2 <= min(errors) * (1 + 1e-9)


@pytest.mark.slow_without_jit
def test_the_published_experiment_in_small():
    """20 × 50, 1500 signals of 3 atoms at 20 dB: at least 45 of the 50 are found (Aharon, Elad & Bruckstein 2006)."""
    X, atoms = planted(1, n=1500, d=20, k=50, s=3, snr=20.0)
    model = DictionaryLearning(50, fit_algorithm="ksvd", transform_n_nonzero_coefs=3, random_state=0).fit(X)
    assert recovered(model, atoms) >= 45


@pytest.mark.slow_without_jit
def test_unused_and_repeated_atoms_are_replaced():
    X, atoms = planted(2)
    start = atoms.copy()
    start[5] = start[4]  # so that another is missing
    kept = DictionaryLearning(
        20, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, dict_init=start, swaps=False, random_state=0
    ).fit(X)
    mended = DictionaryLearning(
        20, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, dict_init=start, random_state=0
    ).fit(X)
    assert recovered(kept, atoms) < 19 <= recovered(mended, atoms)
    assert coherence(mended.components_) < 0.99
    assert mended.reconstruction_err_ < 0.8 * kept.reconstruction_err_


@pytest.mark.slow_without_jit
def test_the_truth_stays_and_order_and_signs_are_canonical():
    X, atoms = planted(3, snr=300.0)
    codes = SparseCoder(atoms, transform_n_nonzero_coefs=2).fit(X).transform(X)
    exact = X[np.linalg.norm(X - codes @ atoms, axis=1) < 1e-9]  # greedy codes are right for most, not for all
    turned = DictionaryLearning(
        20, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, dict_init=-atoms[::-1], random_state=0
    ).fit(exact)
    plain = DictionaryLearning(
        20, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, dict_init=atoms, random_state=0
    ).fit(exact)
    assert plain.reconstruction_err_ < 1e-9
    np.testing.assert_allclose(turned.components_, plain.components_, atol=1e-9)
    energy = (plain.transform(exact) ** 2).sum(axis=0)
    assert (np.diff(energy) <= 1e-9).all()
    assert (np.take_along_axis(plain.components_, np.abs(plain.components_).argmax(1)[:, None], 1) > 0).all()


@pytest.mark.slow_without_jit
def test_gaps_are_filled():
    X, atoms = planted(4, n=900)
    rng = np.random.default_rng(0)
    gaps = rng.random(X.shape) < 0.2
    model = DictionaryLearning(
        20, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, random_state=0, missing="ignore"
    ).fit(np.where(gaps, np.nan, X))
    assert recovered(model, atoms) >= 18
    filled = model.inverse_transform(model.transform(np.where(gaps, np.nan, X)))
    assert np.median(np.abs(filled - X)[gaps]) < 0.1 * np.median(np.abs(X))
    known = ((X - filled)[~gaps] ** 2).sum()
    np.testing.assert_allclose(np.sqrt(known), model.reconstruction_err_, rtol=1e-6)


def test_more_atoms_than_rows_and_constant_data():
    X = np.random.default_rng(0).normal(size=(5, 4))
    model = DictionaryLearning(9, fit_algorithm="ksvd", transform_n_nonzero_coefs=1, random_state=0).fit(X)
    assert model.components_.shape == (9, 4) and model.reconstruction_err_ < 1e-9
    zeros = DictionaryLearning(3, fit_algorithm="ksvd", transform_n_nonzero_coefs=1, random_state=0).fit(
        np.zeros((6, 4))
    )
    assert zeros.reconstruction_err_ == 0 and not zeros.transform(np.zeros((2, 4))).any()


def test_codes_stop_at_the_error():
    X, _ = planted(5, n=200, snr=20.0)
    model = DictionaryLearning(20, fit_algorithm="ksvd", transform_tol=0.5, max_iter=5, random_state=0).fit(X)
    assert (np.linalg.norm(X - model.inverse_transform(model.transform(X)), axis=1) <= 0.5 + 1e-9).all()


@pytest.mark.slow_without_jit
def test_codes_that_end_at_an_error_get_shorter():
    X, atoms = planted(6, n=800, snr=25.0)
    tol = 1.2 * np.linalg.norm(X, axis=1).mean() * 10 ** (-25 / 20)
    start = np.vstack([np.eye(12), np.ones((8, 12))])  # eight times the same atom
    before = (SparseCoder(start, transform_tol=tol).fit(X).transform(X) != 0).sum()
    mended = DictionaryLearning(20, fit_algorithm="ksvd", transform_tol=tol, dict_init=start, random_state=0).fit(X)
    assert (mended.transform(X) != 0).sum() < 0.6 * before
    assert coherence(mended.components_) < 0.99
    model = DictionaryLearning(20, fit_algorithm="ksvd", transform_tol=tol, random_state=0).fit(X)
    codes = model.transform(X)
    assert (np.linalg.norm(X - model.inverse_transform(codes), axis=1) <= tol * (1 + 1e-9)).all()
    assert (codes != 0).sum() < 3 * len(X) and recovered(model, atoms) >= 14


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("unit", [2.0**990, 2.0**-990])
def test_rows_of_extreme_size_give_the_same_atoms(unit):
    X, _ = planted(7, n=200)
    usual, extreme = (
        DictionaryLearning(8, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, max_iter=5, random_state=0).fit(X * u)
        for u in (1.0, unit)
    )
    np.testing.assert_allclose(extreme.components_, usual.components_, atol=1e-6)
    np.testing.assert_allclose(extreme.transform(X * unit) / unit, usual.transform(X), atol=1e-6)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("dtype, size", [("f4", 1e4), ("f4", 1e12), ("f4", 1e30), ("f8", 1e12), ("f8", 1e300)])
@pytest.mark.parametrize("update", ["approximate", "exact"])
def test_one_vast_row_takes_an_atom_or_two(dtype, size, update):
    """The others are learned as without it, and the error is that of the codes, not of rounding."""
    X, atoms = planted(2)
    X = X.astype(dtype)
    rows = X.copy()
    rows[5] *= rows.dtype.type(size)
    model = DictionaryLearning(
        22, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, update=update, random_state=0
    ).fit(rows)
    plain = DictionaryLearning(
        22, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, update=update, random_state=0
    ).fit(X)
    assert recovered(model, atoms) >= recovered(plain, atoms) - 3
    bulk = np.arange(len(X)) != 5
    left = X[bulk] - model.inverse_transform(model.transform(X[bulk]))
    np.testing.assert_allclose(model.reconstruction_err_, np.linalg.norm(left.astype(float)), rtol=0.05)


@pytest.mark.slow_without_jit
def test_one_vast_row_among_gaps():
    X, _ = planted(2)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    rows = X.astype(np.float32)
    rows[5] *= np.float32(1e12)
    model = DictionaryLearning(
        22, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, random_state=0, missing="ignore"
    ).fit(rows)
    plain = DictionaryLearning(
        22, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, random_state=0, missing="ignore"
    ).fit(X)
    assert model.reconstruction_err_ < 2 * plain.reconstruction_err_


KINDS = [
    partial(DictionaryLearning, fit_algorithm="ksvd"),
    partial(MiniBatchDictionaryLearning, fit_algorithm="omp", tol=0),
]


@pytest.mark.parametrize("kind", KINDS, ids=["K-SVD", "online"])
def test_codes_end_at_a_share_of_their_row(kind):
    rng = np.random.default_rng(0)
    atoms = rng.normal(size=(12, 8))
    X = np.vstack([rng.normal(size=2) @ atoms[rng.choice(12, 2, replace=False)] for _ in range(200)])
    X += 0.02 * rng.normal(size=X.shape)
    X[3] = 0
    loud = X * 2.0 ** rng.integers(0, 2, 200)[:, None]
    model = kind(12, transform_relative_tol=0.2, max_iter=8, random_state=0).fit(loud)
    Z = model.transform(loud)
    left = np.linalg.norm(loud - Z @ model.components_, axis=1)
    assert (left <= 0.2 * np.linalg.norm(loud, axis=1) * (1 + 1e-9)).all()
    assert not Z[3].any() and 0 < (Z != 0).sum(axis=1).mean() < 5
    again = kind(12, transform_relative_tol=0.2, max_iter=8, random_state=0).fit(2.0**-500 * loud)
    np.testing.assert_allclose(again.components_, model.components_, atol=1e-9)
    with pytest.raises(ValueError, match="both say when a code ends"):
        kind(2, transform_tol=1, transform_relative_tol=0.1).fit(X)


def test_k_svd_counts_errors_in_units_of_what_each_row_is_allowed():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 10))
    X[:, 2:] *= 0.05
    few = DictionaryLearning(20, fit_algorithm="ksvd", transform_relative_tol=0.3, max_iter=20, random_state=0).fit(X)
    start = clone(few).set_params(max_iter=1, swaps=False).fit(X)
    assert (few.transform(X) != 0).sum() < (start.transform(X) != 0).sum()
