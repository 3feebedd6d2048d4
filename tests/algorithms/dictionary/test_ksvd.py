"""Updates of K-SVD against singular values, enumeration and themselves with nothing missing."""

from itertools import pairwise

import numpy as np
import pytest

from unmix.algorithms.dictionary.ksvd import improve, users, weigh
from unmix.algorithms.dictionary.ksvd_kernel import subtract_fits
from unmix.algorithms.dictionary.rank_one import update_exactly
from unmix.algorithms.dictionary.start import start_atoms
from unmix.algorithms.dictionary.swap import climb, removal_losses, swap_atoms
from unmix.algorithms.sparse_codes.dictionary import prepare_unit
from unmix.algorithms.sparse_codes.encode import pursue
from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit import Rule
from unmix.io.dispatch import as_blocks


@pytest.fixture
def coded():
    """Signals, atoms, packed codes, residuals and who uses what."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 10))
    atoms = rng.normal(size=(14, 10))
    atoms /= np.linalg.norm(atoms, axis=1)[:, None]
    codes = pursue(as_blocks(X), prepare_unit(atoms), Rule(3))
    residuals = X.copy()
    subtract_fits(codes["atom"], codes["value"], atoms, residuals)
    return X, atoms, codes, residuals, users(codes["atom"], 14)


def test_users_of_an_atom_are_the_signals_whose_code_has_it(coded):
    codes = coded[2].copy()
    codes["atom"][::3, 1:] = -1
    codes["atom"][codes["atom"] == 5] = -1  # nobody uses it
    starts, signals, places = users(codes["atom"], 14)
    for k in range(14):
        mine = slice(starts[k], starts[k + 1])
        expected = np.argwhere(codes["atom"] == k)
        np.testing.assert_array_equal(np.column_stack([signals[mine], places[mine]]), expected)


def fit(codes, atoms):
    dense = np.zeros((len(codes), len(atoms)))
    np.put_along_axis(dense, codes["atom"].astype(int), codes["value"], axis=1)
    return dense @ atoms


@pytest.mark.parametrize("update", [improve, update_exactly])
def test_the_error_falls_at_fixed_supports(coded, update):
    X, atoms, codes, residuals, used = coded
    weights = np.linspace(0.0, 2.0, len(X))
    errors = [weigh(residuals, weights)]
    for _ in range(8):
        update(residuals, atoms, codes["value"], weights, *used)
        errors.append(weigh(residuals, weights))
    assert all(later <= earlier * (1 + 1e-12) for earlier, later in pairwise(errors))
    assert errors[-1] < 0.95 * errors[0]
    np.testing.assert_allclose(residuals, X - fit(codes, atoms), atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(atoms, axis=1), 1, rtol=1e-12)


@pytest.mark.parametrize(("update", "gaps"), [(improve, False), (update_exactly, False), (improve, True)])
@pytest.mark.parametrize("unit", [2.0**60, 2.0**-60])
def test_updates_of_single_precision_in_any_unit(coded, update, gaps, unit):
    """Powers of two change no digit, also where fourth powers of the signals are no numbers any more."""
    X, atoms, codes, residuals, used = coded
    found = []
    for scale in (1.0, unit):
        new = atoms.astype(np.float32)
        left, values = (residuals * scale).astype(np.float32), (codes["value"] * scale).astype(np.float32)
        known = (np.ones(X.shape, np.float32),) if gaps else ()
        update(left, new, values, np.ones(len(X), np.float32), *used, *known)
        found.append((new, values / np.float32(scale)))
    assert np.array_equal(found[0][0], found[1][0]) and np.array_equal(found[0][1], found[1][1])


def test_climbs_in_any_unit(coded):
    residuals = coded[3].astype(np.float32)
    weights, spare = np.ones(len(residuals)), np.zeros(len(residuals))
    plain, gain = climb(residuals, weights, spare, residuals[0])
    for unit in (2.0**60, 2.0**-60):
        rows = residuals * np.float32(unit)
        atom, reached = climb(rows, weights, spare, rows[0])
        assert np.array_equal(atom, plain) and reached == gain * unit * unit


def test_exact_update_is_the_singular_pair(coded):
    X, atoms, codes, residuals, (starts, signals, places) = coded
    who, where = signals[: starts[1]], places[: starts[1]]
    left = residuals[who] + np.outer(codes["value"][who, where], atoms[0])
    best = (left**2).sum() - np.linalg.svd(left, compute_uv=False)[0] ** 2
    one = np.array([0, starts[1]] + [starts[1]] * 13)
    update_exactly(residuals, atoms, codes["value"], np.ones(len(X)), one, who, where)
    np.testing.assert_allclose((residuals[who] ** 2).sum(), best)


def test_masked_update_without_gaps_is_the_plain_one(coded):
    _, atoms, codes, residuals, used = coded
    weights = np.linspace(0.5, 2.0, len(residuals))
    other = residuals.copy(), atoms.copy(), codes["value"].copy()
    improve(residuals, atoms, codes["value"], weights, *used)
    improve(*other, weights, *used, np.ones(residuals.shape))
    for got, expected in zip(other, (residuals, atoms, codes["value"]), strict=True):
        np.testing.assert_allclose(got, expected, atol=1e-10)


def test_masked_update_lowers_the_error_of_what_is_known(coded):
    X, atoms, codes, _, used = coded
    known = np.random.default_rng(1).random(X.shape) < 0.7
    residuals = np.where(known, X, np.nan)
    subtract_fits(codes["atom"], codes["value"], atoms, residuals)
    before = weigh(residuals, np.ones(len(X)))
    for _ in range(5):
        improve(residuals, atoms, codes["value"], np.ones(len(X)), *used, known.astype(float))
        after = weigh(residuals, np.ones(len(X)))
        assert after < before
        before = after
    np.testing.assert_allclose(residuals, np.where(known, X - fit(codes, atoms), 0), atol=1e-12)


def test_worth_of_an_atom_by_enumeration(coded):
    _, atoms, codes, residuals, _ = coded
    weights = np.linspace(0.5, 2.0, len(residuals))
    worth, spare = removal_losses(atoms, codes, residuals, weights)
    expected, least = np.zeros(14), np.full(len(residuals), np.inf)
    for i, (chosen, values) in enumerate(codes):
        others = [m for m in range(14) if m not in chosen]
        for k, z in zip(chosen, values, strict=True):
            without = residuals[i] + z * atoms[k]
            loss = max(z**2 - max((atoms[m] @ without) ** 2 for m in others), 0)
            expected[k] += weights[i] * loss
            least[i] = min(least[i], loss)
    np.testing.assert_allclose(worth, expected)
    np.testing.assert_allclose(spare, least)


def test_the_missing_direction_is_found_and_climbing_gains():
    rng = np.random.default_rng(2)
    atom = rng.normal(size=20)
    atom /= np.linalg.norm(atom)
    residuals = 0.05 * rng.normal(size=(300, 20))
    residuals[:30] += np.outer(rng.normal(size=30) + 3, atom)
    found, gain = climb(residuals, np.ones(300), np.full(300, 0.1), residuals[3])
    assert abs(found @ atom) > 0.99 and gain > 200
    dictionary = np.eye(20)
    codes = pursue(as_blocks(np.zeros((300, 20))), prepare_unit(dictionary), Rule(2))
    swapped, count = swap_atoms(dictionary, codes, residuals, np.zeros(300), np.ones(300), 0, 0)
    assert count == 1 and max(abs(swapped @ atom)) > 0.99
    assert np.array_equal(dictionary, np.eye(20))
    assert swap_atoms(dictionary, codes, residuals, np.full(300, 100.0), np.ones(300), 0, 0)[1] == 0


def test_starts():
    rng = np.random.default_rng(3)
    X = np.vstack([np.zeros(6), np.repeat(rng.normal(size=(4, 6)), 10, axis=0)])
    atoms = start_atoms(as_blocks(X), 5, None, "samples", 0)
    assert np.abs(atoms @ atoms.T - np.eye(5)).max() < 0.9999
    assert sum(np.abs(atoms @ x).max() > 0.9999 * np.linalg.norm(x) for x in X[1::10]) == 4
    for start in ("samples", "random", "dct"):
        atoms = start_atoms(as_blocks(X.astype(np.float32)), 9, None, start, 0)
        assert atoms.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(atoms, axis=1), 1, rtol=1e-6)
