"""Vectors under limits on their entries, where coordinate descent stands still: against other solvers."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import lsq_linear, nnls

from unmix.algorithms.factorization.active_entries import finish
from unmix.algorithms.factorization.limits import limits_of
from unmix.constraints import L1, Box, NonNegative

NEAR = (1.0, 1e-3, 1e-5)  # by how much rows of U differ


def problem(near, own, n=12, k=5, d=8):
    """Least squares for rows X and components U that are nearly the same; one U for all, or one each."""
    rng = np.random.default_rng(0)
    U = near * rng.normal(size=(n if own else 1, k, d)) + rng.normal(size=d)
    X = 2 * rng.normal(size=(n, d))
    cross = np.einsum("xkd,nd->nk", U, X) if not own else np.einsum("nkd,nd->nk", U, X)
    return X, np.broadcast_to(U, (n, k, d)), U @ U.transpose(0, 2, 1), cross


def squares(X, U, codes):
    return 0.5 * ((X - np.einsum("nk,nkd->nd", codes, U)) ** 2).sum(axis=1)


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("near", NEAR)
def test_non_negative_entries_are_those_of_lawson_and_hanson(near, own):
    X, U, gram, cross = problem(near, own)
    codes = finish(limits_of(NonNegative(), 5), gram, cross, np.zeros_like(cross))
    assert (codes >= 0).all()
    least = [0.5 * nnls(u.T, x)[1] ** 2 for u, x in zip(U, X, strict=True)]
    np.testing.assert_allclose(squares(X, U, codes), least, rtol=1e-9)


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("near", NEAR)
def test_bounded_entries_are_those_of_bounded_least_squares(near, own):
    X, U, gram, cross = problem(near, own)
    codes = finish(limits_of(Box(-0.2, 0.7), 5), gram, cross, np.zeros_like(cross))
    assert ((codes >= -0.2) & (codes <= 0.7)).all()
    least = [lsq_linear(u.T, x, (-0.2, 0.7), method="bvls", tol=1e-14).cost for u, x in zip(U, X, strict=True)]
    np.testing.assert_allclose(squares(X, U, codes), least, rtol=1e-9)


@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize("near", NEAR)
def test_entries_that_pay_are_the_best_of_all_signs(near, own):
    X, U, gram, cross = problem(near, own, k=4)
    codes = finish(limits_of(L1(0.4), 4), gram, cross, np.zeros_like(cross))
    paid = squares(X, U, codes) + 0.4 * np.abs(codes).sum(axis=1)
    for i, signs in product(range(len(X)), product((-1, 0, 1), repeat=4)):
        active, signs = np.flatnonzero(signs), np.array(signs, dtype=float)
        other = np.zeros((1, 4))
        G = gram[i if own else 0][np.ix_(active, active)]
        other[0, active] = np.linalg.lstsq(G, cross[i, active] - 0.4 * signs[active], rcond=None)[0]
        value = squares(X[[i]], U[[i]], other)[0] + 0.4 * np.abs(other).sum()
        assert paid[i] <= value * (1 + 1e-9)


def test_entries_that_say_the_same_and_one_that_says_nothing():
    U = np.array([[1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    X = np.array([[3.0, 6.0, 1.0], [-1.0, -2.0, 4.0], [0.0, 0.0, 0.0]])
    codes = finish(limits_of(NonNegative(), 3), (U @ U.T)[None], X @ U.T, np.zeros((3, 3)))
    np.testing.assert_allclose(codes[:, :2].sum(axis=1), [3, 0, 0], atol=1e-12)
    assert (codes[:, 2] == 0).all()


@pytest.mark.parametrize("size", [1e-100, 1e100])
def test_units_do_not_matter(size):
    _, _, gram, cross = problem(1e-3, False)
    codes = finish(limits_of(NonNegative(), 5), gram, cross, np.zeros_like(cross))
    np.testing.assert_allclose(
        finish(limits_of(NonNegative(), 5), gram, size * cross, np.zeros_like(cross)), size * codes, rtol=1e-6
    )
