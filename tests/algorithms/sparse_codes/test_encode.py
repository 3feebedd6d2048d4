"""Pursuits and the lasso against plain textbook code, least squares, optimality conditions and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.linear_model import Lasso, orthogonal_mp

from unmix.algorithms.sparse_codes.encode import encode
from unmix.io.dispatch import as_blocks


def random_atoms(rng, k, d):
    atoms = rng.normal(size=(k, d))
    return atoms / np.linalg.norm(atoms, axis=1)[:, None]


def sparse_signals(rng, atoms, n, s, noise=0.05):
    codes = np.zeros((n, len(atoms)))
    for row in codes:
        row[rng.choice(len(atoms), s, replace=False)] = rng.normal(size=s)
    return codes @ atoms + noise * rng.normal(size=(n, atoms.shape[1]))


def plain_omp(x, atoms, n_nonzero, tol=0.0):
    """The textbook: least squares over the chosen atoms, again at every step."""
    chosen, residual, z = [], x.copy(), np.zeros(len(atoms))
    while len(chosen) < n_nonzero and np.linalg.norm(residual) > tol:
        chosen.append(int(np.argmax(np.abs(atoms @ residual))))
        values = np.linalg.lstsq(atoms[chosen].T, x, rcond=None)[0]
        residual = x - values @ atoms[chosen]
    z[chosen] = values if chosen else 0.0
    return z


def plain_mp(x, atoms, n_nonzero):
    z, residual = np.zeros(len(atoms)), x.copy()
    while np.count_nonzero(z) < n_nonzero:
        k = int(np.argmax(np.abs(atoms @ residual)))
        z[k] += atoms[k] @ residual
        residual = x - z @ atoms
    return z


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    atoms = random_atoms(rng, 70, 30)
    return sparse_signals(rng, atoms, 150, 5), atoms


@pytest.mark.parametrize("n_nonzero", [1, 4, 7])
def test_omp_is_the_textbook_and_scikit_learn(problem, n_nonzero):
    X, atoms = problem
    Z = encode(as_blocks(X), atoms, n_nonzero=n_nonzero)
    np.testing.assert_allclose(Z, [plain_omp(x, atoms, n_nonzero) for x in X], atol=1e-10)
    np.testing.assert_allclose(Z, orthogonal_mp(atoms.T, X.T, n_nonzero_coefs=n_nonzero).T, atol=1e-10)


def test_omp_stops_at_the_error(problem):
    X, atoms = problem
    Z = encode(as_blocks(X), atoms, tol=0.8)
    np.testing.assert_allclose(Z, [plain_omp(x, atoms, 30, 0.8) for x in X], atol=1e-9)
    assert (np.linalg.norm(X - Z @ atoms, axis=1) <= 0.8).all()
    counts = (Z != 0).sum(axis=1)
    assert counts.min() < counts.max()
    both = encode(as_blocks(X), atoms, tol=0.8, n_nonzero=3)
    np.testing.assert_allclose(both[counts <= 3], Z[counts <= 3])
    assert ((both != 0).sum(axis=1) <= 3).all()


def test_residual_of_omp_is_orthogonal_to_what_was_chosen(problem):
    X, atoms = problem
    Z = encode(as_blocks(X), atoms, n_nonzero=9)
    residual = X - Z @ atoms
    assert np.abs((residual @ atoms.T)[Z != 0]).max() < 1e-12


def test_mp_is_the_textbook(problem):
    X, atoms = problem
    Z = encode(as_blocks(X), atoms, "mp", n_nonzero=4)
    np.testing.assert_allclose(Z, [plain_mp(x, atoms, 4) for x in X], atol=1e-10)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**20), d=st.sampled_from([16, 36, 64]))
def test_support_is_recovered_below_the_bound(seed, d):
    """K < ½ (1 + 1/m): spikes and an orthonormal basis as incoherent with them as can be (DCT: m = √(2/d))."""
    from scipy.fft import dct

    rng = np.random.default_rng(seed)
    atoms = np.vstack([np.eye(d), dct(np.eye(d), norm="ortho", axis=0)])
    m = np.abs(atoms @ atoms.T - np.eye(2 * d)).max()
    most = int(np.ceil((1 + 1 / m) / 2)) - 1
    s = int(rng.integers(1, most + 1))
    true = np.zeros((20, 2 * d))
    for row in true:
        row[rng.choice(2 * d, s, replace=False)] = rng.normal(size=s) * 10 ** rng.uniform(-1, 1, s)
    X = as_blocks(true @ atoms)
    np.testing.assert_allclose(encode(X, atoms, "omp", n_nonzero=s), true, atol=1e-9)
    greedy = encode(X, atoms, "mp", n_nonzero=s)
    assert not greedy[true == 0].any()


def test_lasso_is_optimal_and_that_of_scikit_learn(problem):
    X, atoms = problem
    alpha = 0.3
    Z = encode(as_blocks(X), atoms, "lasso", alpha=alpha)
    c = (X - Z @ atoms) @ atoms.T
    np.testing.assert_allclose(c[Z != 0], alpha * np.sign(Z[Z != 0]), atol=1e-10)
    assert np.abs(c).max() <= alpha * (1 + 1e-10)
    peer = Lasso(alpha / X.shape[1], fit_intercept=False, tol=1e-12, max_iter=100_000)
    np.testing.assert_allclose(Z[:20], [peer.fit(atoms.T, x).coef_ for x in X[:20]], atol=1e-7)
    assert not encode(as_blocks(X), atoms, "lasso", alpha=1e3).any()


def test_lasso_with_atoms_of_any_length(problem):
    X, atoms = problem
    atoms = atoms * np.linspace(0.0, 3.0, len(atoms))[:, None]
    Z = encode(as_blocks(X), atoms, "lasso", alpha=0.2)
    c = (X - Z @ atoms) @ atoms.T
    assert not Z[:, 0].any() and np.abs(c).max() <= 0.2 * (1 + 1e-9)
    np.testing.assert_allclose(c[Z != 0], 0.2 * np.sign(Z[Z != 0]), atol=1e-9)


@pytest.mark.parametrize("method", ["omp", "mp", "lasso"])
def test_zero_and_repeated_atoms_and_zero_signals(method):
    rng = np.random.default_rng(1)
    atoms = random_atoms(rng, 12, 8)
    awkward = np.vstack([np.zeros(8), atoms, atoms, np.zeros(8)])
    X = np.vstack([np.zeros(8), sparse_signals(rng, atoms, 10, 3, 0.0)])
    options = {"alpha": 1e-3} if method == "lasso" else {"n_nonzero": 8}
    for dtype in (np.float32, np.float64):
        Z = encode(as_blocks(X.astype(dtype)), awkward, method, **options)
        assert Z.dtype == dtype and np.isfinite(Z).all()
        assert not Z[0].any() and not Z[:, [0, -1]].any()
        plain = encode(as_blocks(X.astype(dtype)), atoms, method, **options)
        np.testing.assert_allclose(Z @ awkward, plain @ atoms, atol=2e-3 if method == "lasso" else 2e-4)
    if method == "omp":
        assert ((Z[:, 1:13] != 0) & (Z[:, 13:25] != 0)).sum() == 0


@pytest.mark.parametrize("method", ["omp", "mp"])
def test_lengths_of_atoms_change_codes_and_nothing_else(problem, method):
    X, atoms = problem
    lengths = 10.0 ** np.linspace(-200, 200, len(atoms))
    Z = encode(as_blocks(X), atoms * lengths[:, None], method, n_nonzero=4)
    np.testing.assert_allclose(Z * lengths, encode(as_blocks(X), atoms, method, n_nonzero=4), atol=1e-9)


@pytest.mark.parametrize("method", ["omp", "mp", "lasso"])
def test_sparse_signals_and_sparse_codes(problem, method):
    X, atoms = problem
    X = np.where(np.abs(X) > 0.3, X, 0.0)
    options = {"alpha": 0.2} if method == "lasso" else {"n_nonzero": 3}
    dense = encode(as_blocks(X), atoms, method, **options)
    np.testing.assert_allclose(encode(as_blocks(csr_array(X)), atoms, method, **options), dense, atol=1e-10)
    stored = encode(as_blocks(X), atoms, method, sparse=True, **options)
    assert stored.format == "csr" and np.array_equal(stored.toarray(), dense)


def masked_reference(x, atoms, n_nonzero):
    """Restrict everything to the known entries and take scikit-learn's pursuit there."""
    known = ~np.isnan(x)
    part = atoms[:, known]
    lengths = np.linalg.norm(part, axis=1)
    return plain_omp(x[known], part / lengths[:, None], n_nonzero) / lengths


def test_masked_pursuit_is_pursuit_among_the_known_entries(problem):
    X, atoms = problem
    rng = np.random.default_rng(3)
    X = np.where(rng.random(X.shape) < 0.3, np.nan, X)
    X[::5] = np.nan_to_num(X[::5])
    X[3] = np.nan
    Z = encode(as_blocks(X), atoms, n_nonzero=4, gaps=True)
    for x, z in zip(X, Z, strict=True):
        expected = masked_reference(x, atoms, 4) if not np.isnan(x).all() else 0.0
        np.testing.assert_allclose(z, expected, atol=1e-9)


def test_every_method_codes_by_the_known_entries(problem):
    X, atoms = problem
    rng = np.random.default_rng(3)
    X, holes = X[:40], np.zeros((40, 30), bool)
    holes[:20, ::3], holes[20:35] = True, rng.random((15, 30)) < 0.3  # one pattern for many, and many patterns
    holes[36] = True
    gappy = np.where(holes, np.nan, X)
    lasso = encode(as_blocks(gappy), atoms, "lasso", alpha=0.1, gaps=True)
    pursuit = encode(as_blocks(gappy), atoms, "mp", n_nonzero=4, gaps=True)
    assert not lasso[36].any() and not pursuit[36].any()
    for i in np.flatnonzero(~holes.all(axis=1)):
        known = ~holes[i]
        fitted = Lasso(0.1 / known.sum(), fit_intercept=False, tol=1e-12, max_iter=100_000)
        np.testing.assert_allclose(lasso[i], fitted.fit(atoms[:, known].T, X[i, known]).coef_, atol=1e-6)
        lengths = np.linalg.norm(atoms[:, known], axis=1)
        expected = plain_mp(X[i, known], atoms[:, known] / lengths[:, None], 4) / lengths
        np.testing.assert_allclose(pursuit[i], expected, atol=1e-9)


def test_a_dictionary_of_any_length_and_gaps(problem):
    X, atoms = problem
    gappy = np.where(np.arange(30) % 4 == 1, np.nan, X[:10])
    lengths = np.random.default_rng(0).uniform(0.5, 2, len(atoms))[:, None]
    for method in ("omp", "mp"):
        plain = encode(as_blocks(gappy), atoms, method, n_nonzero=4, gaps=True)
        scaled = encode(as_blocks(gappy), atoms * lengths, method, n_nonzero=4, gaps=True)
        np.testing.assert_allclose(scaled * lengths.T, plain, atol=1e-9)


@pytest.mark.parametrize("dtype, size", [("f8", 1e-300), ("f8", 1e300), ("f4", 1e-30), ("f4", 1e30)])
def test_the_lasso_in_any_unit(problem, size, dtype):
    """A signal times c at the price c alpha has the code times c; one vast signal leaves the others as they are."""
    X, atoms = problem
    X, atoms = X[:20].astype(dtype), atoms.astype(dtype)
    tolerance = {"rtol": 1e-3, "atol": 1e-4} if dtype == "f4" else {"rtol": 1e-9, "atol": 1e-9}
    expected = encode(as_blocks(X), atoms, "lasso", alpha=0.1)
    found = encode(as_blocks((X * size).astype(dtype)), atoms, "lasso", alpha=0.1 * size)
    np.testing.assert_allclose(found.astype(np.float64) / size, expected, **tolerance)
    one, others = X.copy(), np.arange(20) != 3
    one[3] *= one.dtype.type(size)
    np.testing.assert_allclose(encode(as_blocks(one), atoms, "lasso", alpha=0.1)[others], expected[others], **tolerance)
    longer = encode(as_blocks(X), (atoms * size).astype(dtype), "lasso", alpha=0.1 * size)
    np.testing.assert_allclose(longer.astype(np.float64) * size, expected, **tolerance)


def test_masked_pursuit_finds_what_is_missing(problem):
    _, atoms = problem
    rng = np.random.default_rng(4)
    X = sparse_signals(rng, atoms, 60, 2, noise=0.0)
    gappy = np.where(rng.random(X.shape) < 0.25, np.nan, X)
    Z = encode(as_blocks(gappy), atoms, n_nonzero=5, tol=1e-9, gaps=True)
    found = np.linalg.norm(Z @ atoms - X, axis=1) < 1e-6
    assert found.mean() > 0.9
    single = encode(as_blocks(gappy.astype(np.float32)), atoms, n_nonzero=2, gaps=True)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single[found], Z[found], atol=1e-3)


def test_atoms_that_are_one_but_for_rounding_are_not_both_taken():
    atoms = np.array([[1.0, 0.0, 0.0], [1.0, 1e-9, 0.0]])
    X = np.array([[1.0, 1.0, 1.0], [2.0, -3.0, 0.5]])
    Z = encode(as_blocks(X), atoms, n_nonzero=2)
    assert np.isfinite(Z).all() and ((Z != 0).sum(axis=1) == 1).all()
    gappy = np.where(X == 0.5, np.nan, X)
    Z = encode(as_blocks(gappy), atoms, n_nonzero=2, gaps=True)
    assert np.isfinite(Z).all() and ((Z != 0).sum(axis=1) == 1).all()


def test_lasso_of_few_dimensions_takes_the_cheapest_of_many_exact_codes():
    """At a price near zero the fit is exact and Σ|z| least: a linear program, which scipy solves independently."""
    from scipy.optimize import linprog

    rng = np.random.default_rng(5)
    atoms, X = random_atoms(rng, 25, 3), rng.normal(size=(30, 3))
    Z = encode(as_blocks(X), atoms, "lasso", alpha=1e-7)
    assert ((Z != 0).sum(axis=1) <= 3).all()
    np.testing.assert_allclose(Z @ atoms, X, atol=1e-6)
    for x, z in zip(X, Z, strict=True):
        best = linprog(np.ones(50), A_eq=np.hstack([atoms.T, -atoms.T]), b_eq=x).fun
        np.testing.assert_allclose(np.abs(z).sum(), best, rtol=1e-5)


def test_with_gaps_the_error_allowed_is_the_same_for_an_entry(problem):
    X, atoms = problem
    rng = np.random.default_rng(6)
    gappy = np.where(rng.random(X.shape) < 0.5, np.nan, X)
    tol = 0.3 * np.sqrt(30)
    Z = encode(as_blocks(gappy), atoms, tol=tol, gaps=True)
    known = ~np.isnan(gappy)
    for x, seen, z in zip(X, known, Z, strict=True):
        rms = np.sqrt(np.mean((x - z @ atoms)[seen] ** 2))
        assert rms <= 0.3 * (1 + 1e-9)
        part = atoms[:, seen] / np.linalg.norm(atoms[:, seen], axis=1)[:, None]
        expected = plain_omp(x[seen], part, 30, 0.3 * np.sqrt(seen.sum()))
        assert np.array_equal(z != 0, expected != 0)
