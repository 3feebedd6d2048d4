"""Online dictionary learning: planted atoms, batches that add up, and both kinds of codes."""

import numpy as np
import pytest
from sklearn.base import clone

import unmix
from unmix.algorithms.dictionary.online_kernel import descend_atoms
from unmix.decomposition import MiniBatchDictionaryLearning

PASSES = {"tol": 0, "max_no_improvement": None}  # all of them


def planted(seed, n=2000, d=12, k=20, s=2):
    rng = np.random.default_rng(seed)
    atoms = rng.normal(size=(k, d))
    atoms /= np.linalg.norm(atoms, axis=1)[:, None]
    X = np.vstack([rng.normal(size=s) @ atoms[rng.choice(k, s, replace=False)] for _ in range(n)])
    return X + 0.02 * rng.normal(size=X.shape), atoms


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("method", ["omp", "lars"])
def test_planted_atoms_are_found(method):
    X, atoms = planted(0)
    model = MiniBatchDictionaryLearning(
        20,
        fit_algorithm=method,
        alpha=0.1,
        transform_n_nonzero_coefs=2,
        batch_size=100,
        max_iter=20,
        **PASSES,
        random_state=0,
    ).fit(X)
    assert (np.abs(atoms @ model.components_.T).max(axis=1) > 0.98).sum() >= 18
    np.testing.assert_allclose(np.linalg.norm(model.components_, axis=1), 1)
    assert model.n_steps_ == 400 and model.trace_[-1]["error"] < 0.5 * model.trace_[0]["error"]


@pytest.mark.slow_without_jit
def test_partial_fits_go_on_where_the_last_ended(tmp_path):
    X, _ = planted(1, n=300)
    start = np.eye(20, 12) + 0.1
    whole = MiniBatchDictionaryLearning(
        20, fit_algorithm="omp", dict_init=start, transform_n_nonzero_coefs=2, batch_size=50, random_state=0
    )
    parts = clone(whole)
    whole.partial_fit(X)
    parts.partial_fit(X[:150])
    parts.save(tmp_path / "half.unmix")
    parts = unmix.load(tmp_path / "half.unmix").partial_fit(X[150:])
    assert np.array_equal(whole.components_, parts.components_) and parts.n_steps_ == 6
    before = np.linalg.norm(X - whole.inverse_transform(whole.transform(X)))
    for _ in range(10):
        whole.partial_fit(X)
    assert np.linalg.norm(X - whole.inverse_transform(whole.transform(X))) < before


def test_the_update_lowers_the_quadratic():
    rng = np.random.default_rng(2)
    codes = rng.normal(size=(50, 6)) * (rng.random((50, 6)) < 0.5)
    X = rng.normal(size=(50, 4))
    atoms = rng.normal(size=(6, 4))
    atoms /= np.linalg.norm(atoms, axis=1)[:, None]
    A, B = codes.T @ codes, codes.T @ X
    errors = [np.linalg.norm(X - codes @ atoms)]
    for _ in range(5):
        descend_atoms(A, B, atoms, 1, False, np.empty_like(atoms[0]))
        errors.append(np.linalg.norm(X - codes @ atoms))
    assert (np.diff(errors) <= 1e-12).all() and errors[-1] < errors[0]
    gradient = B - A @ atoms  # at the minimum on the sphere it points along the atom
    for _ in range(500):
        descend_atoms(A, B, atoms, 1, False, np.empty_like(atoms[0]))
    gradient = B - A @ atoms
    across = gradient - (gradient * atoms).sum(axis=1, keepdims=True) * atoms
    np.testing.assert_allclose(across, 0, atol=1e-6)


@pytest.mark.parametrize("method", ["omp", "lars"])
def test_weights_count_rows_of_a_batch(method):
    X, _ = planted(4, n=120)
    weights = np.random.default_rng(0).integers(0, 4, len(X))
    options = {
        "fit_algorithm": method,
        "alpha": 0.1,
        "transform_n_nonzero_coefs": 2,
        "batch_size": 500,
        "max_iter": 5,
        "tol": 0,
    }
    weighted, repeated = (MiniBatchDictionaryLearning(20, **options, random_state=0) for _ in range(2))
    weighted.fit(X, sample_weight=weights)
    repeated.fit(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(weighted.components_, repeated.components_, atol=1e-8)
    assert weighted.trace_[-1]["error"] == pytest.approx(repeated.trace_[-1]["error"])
    weighted.partial_fit(X, sample_weight=weights)
    repeated.partial_fit(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(weighted.code_products_, repeated.code_products_, atol=1e-8)


def test_rows_of_great_weight_draw_the_atoms():
    rng = np.random.default_rng(5)
    direction = rng.normal(size=6)
    X = np.vstack([rng.normal(size=(300, 6)), np.outer(rng.normal(size=60), direction)])
    weights = np.repeat([1.0, 1000.0], [300, 60])
    model = MiniBatchDictionaryLearning(
        1, fit_algorithm="omp", transform_n_nonzero_coefs=1, batch_size=40, random_state=0
    )
    model.fit(X, sample_weight=weights)
    assert abs(model.components_[0] @ direction) / np.linalg.norm(direction) > 0.999


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("unit", [2.0**990, 2.0**-990])
def test_rows_of_extreme_size_give_the_same_atoms(unit):
    X, _ = planted(7, n=200)
    usual, extreme = (
        MiniBatchDictionaryLearning(
            8, fit_algorithm="omp", transform_n_nonzero_coefs=2, max_iter=5, **PASSES, random_state=0
        ).fit(X * u)
        for u in (1.0, unit)
    )
    np.testing.assert_allclose(extreme.components_, usual.components_, atol=1e-6)
    np.testing.assert_allclose(extreme.transform(X * unit) / unit, usual.transform(X), atol=1e-6)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("dtype, size", [("f4", 1e4), ("f4", 1e12), ("f4", 1e30), ("f8", 1e12), ("f8", 1e300)])
def test_one_vast_row_takes_an_atom_or_two(dtype, size):
    X, atoms = planted(0)
    X = X.astype(dtype)
    X[5] *= X.dtype.type(size)
    model = MiniBatchDictionaryLearning(
        22, fit_algorithm="omp", transform_n_nonzero_coefs=2, batch_size=100, max_iter=20, **PASSES, random_state=0
    ).fit(X)
    assert (np.abs(atoms @ model.components_.T).max(axis=1) > 0.98).sum() >= 16
    for _ in range(2):  # and in a stream, in which sums of it are left
        model.partial_fit(X)
    assert (np.abs(atoms @ model.components_.T).max(axis=1) > 0.98).sum() >= 16


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("dtype, size", [("f8", 1e6), ("f8", 1e-6), ("f8", 1e300), ("f8", 1e-300), ("f4", 1e30)])
def test_a_first_batch_in_another_unit(dtype, size):
    X, atoms = planted(0)
    model = MiniBatchDictionaryLearning(
        22, fit_algorithm="omp", transform_n_nonzero_coefs=2, batch_size=100, max_iter=20, **PASSES, random_state=0
    )
    model.partial_fit((X[:200] * size).astype(dtype))
    for _ in range(5):
        model.partial_fit(X.astype(dtype))
    assert model.unit_ == 1 and np.isfinite(model.code_products_).all()
    assert (np.abs(atoms @ model.components_.T).max(axis=1) > 0.98).sum() >= 16


@pytest.mark.slow_without_jit
def test_passes_end_when_nothing_gets_better():
    X, _ = planted(0, n=600)
    options = {"fit_algorithm": "cd", "alpha": 0.1, "batch_size": 100, "random_state": 0}
    model = MiniBatchDictionaryLearning(20, **options).fit(X)
    assert 1 < model.n_iter_ < 1000 and model.n_steps_ <= 6 * model.n_iter_
    steps = []
    still = MiniBatchDictionaryLearning(20, tol=10.0, callback=steps.append, **options).fit(X)
    assert still.n_steps_ == 7 == len(steps) and still.n_iter_ == 2  # the first batch after the first pass


@pytest.mark.slow_without_jit
def test_given_atoms_keep_their_places():
    X, atoms = planted(0, n=400)
    given = -atoms[::-1] * 3
    kept = MiniBatchDictionaryLearning(20, dict_init=given, max_iter=0).fit(X)
    np.testing.assert_array_equal(kept.components_, given)
    found = MiniBatchDictionaryLearning(20, alpha=0.05, dict_init=given, max_iter=3, shuffle=False).fit(X)
    assert ((found.components_ * -atoms[::-1]).sum(axis=1) > 0.9).all()
