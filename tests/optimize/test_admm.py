"""ADMM and its uses against solvers that share nothing with it, to 1e-6."""

import numpy as np
import pytest
from scipy.optimize import linprog, lsq_linear, minimize
from sklearn.linear_model import Lasso

from unmix.optimize import (
    admm,
    basis_pursuit,
    consensus,
    lasso,
    least_squares_part,
    project_box,
    project_non_negative,
    prox_l1,
    prox_nuclear,
)
from unmix.optimize.ridge import RidgeStep

rng = np.random.default_rng(0)
SHAPES = [(60, 20), (30, 80), (25, 25)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("share", [0.01, 0.1, 0.5])
@pytest.mark.parametrize("polish", [True, False])
def test_lasso_is_scikit_learns(shape, share, polish):
    A, b = rng.normal(size=shape), rng.normal(size=shape[0])
    penalty = share * np.abs(A.T @ b).max()
    found = lasso(A, b, penalty, polish=polish, eps_abs=1e-10, eps_rel=1e-10)
    reference = Lasso(alpha=penalty / len(b), fit_intercept=False, tol=1e-14, max_iter=100_000).fit(A, b).coef_
    assert found.converged
    np.testing.assert_allclose(found.z, reference, atol=1e-6)
    assert np.array_equal(found.z != 0, reference != 0)


def test_polished_lasso_is_optimal_to_rounding():
    A, b = rng.normal(size=(40, 100)), rng.normal(size=40)
    penalty = 0.1 * np.abs(A.T @ b).max()
    found = lasso(A, b, penalty)
    slope = A.T @ (b - A @ found.z)
    assert np.abs(slope).max() <= penalty * (1 + 1e-10)
    np.testing.assert_allclose(slope[found.z != 0], penalty * np.sign(found.z[found.z != 0]), rtol=1e-10)


def test_lasso_without_penalty_and_with_too_much():
    A, b = rng.normal(size=(20, 5)), rng.normal(size=20)
    np.testing.assert_allclose(lasso(A, b, 0.0).z, np.linalg.lstsq(A, b, rcond=None)[0], atol=1e-7)
    assert not lasso(A, b, 1.01 * np.abs(A.T @ b).max()).z.any()
    assert not lasso(np.zeros((3, 2)), np.ones(3), 1.0).z.any()


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_basis_pursuit_is_the_linear_program(scale):
    A, truth = rng.normal(size=(15, 40)), np.zeros(40)
    truth[[3, 17, 29]] = [1.0, -2.0, 0.5]
    for b in (A @ truth, rng.normal(size=15)):
        found = basis_pursuit(A, scale * b)
        program = linprog(np.ones(80), A_eq=np.hstack([A, -A]), b_eq=b, method="highs")
        np.testing.assert_allclose(found.z / scale, program.x[:40] - program.x[40:], atol=1e-6)
        np.testing.assert_allclose(A @ found.z, scale * b, atol=1e-9 * scale)


def test_basis_pursuit_with_repeated_equations_and_without_solution():
    A, b = rng.normal(size=(5, 12)), rng.normal(size=5)
    np.testing.assert_allclose(basis_pursuit(np.vstack([A, A]), np.r_[b, b]).z, basis_pursuit(A, b).z, atol=1e-6)
    assert not basis_pursuit(A, np.zeros(5)).z.any()
    with pytest.raises(ValueError, match="no solution"):
        basis_pursuit(np.vstack([A, A]), np.r_[b, b + 1])


@pytest.mark.parametrize("n_parts", [1, 2, 7])
def test_consensus_is_least_squares_of_all(n_parts):
    A, b = rng.normal(size=(70, 6)), rng.normal(size=70)
    parts = [least_squares_part(*pair) for pair in zip(np.array_split(A, n_parts), np.array_split(b, n_parts))]
    found = consensus(parts, np.zeros(6))
    assert found.converged
    np.testing.assert_allclose(found.z, np.linalg.lstsq(A, b, rcond=None)[0], atol=1e-6)
    np.testing.assert_allclose(found.dual.sum(axis=0), 0, atol=1e-5)  # prices for disagreeing balance


def test_consensus_with_a_penalty_is_the_lasso_of_all():
    A, b = rng.normal(size=(60, 10)), rng.normal(size=60)
    parts = [least_squares_part(A[rows], b[rows]) for rows in (slice(0, 10), slice(10, 60))]
    found = consensus(parts, np.zeros(10), regularizer=lambda v, rho: prox_l1(v, 4.0 / rho))
    np.testing.assert_allclose(found.z, lasso(A, b, 4.0).z, atol=1e-6)


def test_two_matrices_and_an_offset():
    """Quadratics tied by A x = B z + c have a closed form: the linear system of their optimality conditions."""
    A, B, c = rng.normal(size=(3, 4)), rng.normal(size=(3, 2)), rng.normal(size=3)
    p, q = rng.normal(size=4), rng.normal(size=2)
    found = admm(
        lambda v, rho: np.linalg.solve(np.eye(4) + rho * A.T @ A, p + rho * A.T @ v),
        lambda v, rho: np.linalg.solve(np.eye(2) + rho * B.T @ B, q + rho * B.T @ v),
        np.zeros(2), A=A, B=B, c=c,
    )  # fmt: skip
    conditions = np.block([[np.eye(4), np.zeros((4, 2)), A.T], [np.zeros((2, 4)), np.eye(2), -B.T],
                           [A, -B, np.zeros((3, 3))]])  # fmt: skip
    exact = np.linalg.solve(conditions, np.concatenate([p, q, c]))
    np.testing.assert_allclose(np.concatenate([found.x, found.z, found.dual]), exact, atol=1e-6)


@pytest.mark.parametrize("rho", [1e-4, 1.0, 1e4])
def test_the_penalty_adapts(rho):
    A, b = rng.normal(size=(40, 8)), rng.normal(size=40)
    exact = lsq_linear(A, b, (0.0, 0.1), tol=1e-14).x
    step = RidgeStep(A, b)
    free = admm(step, lambda v, rho: project_box(v, 0.0, 0.1), np.zeros(8), rho=rho)
    held = admm(step, lambda v, rho: project_box(v, 0.0, 0.1), np.zeros(8), rho=rho, adaptive=False, max_iter=1000)
    assert free.converged and free.n_iter < 600
    np.testing.assert_allclose(free.z, exact, atol=1e-6)
    assert held.rho == rho and (held.n_iter > free.n_iter or rho == 1.0)


@pytest.mark.parametrize("relaxation", [0.6, 1.0, 1.8])
def test_residuals_say_how_far_from_optimal(relaxation):
    """At the end 0 lies within the dual residual of the gradient in x, whatever the relaxation."""
    A, b = rng.normal(size=(30, 6)), rng.normal(size=30)
    found = admm(RidgeStep(A, b), lambda v, rho: project_non_negative(v), np.zeros(6), relaxation=relaxation,
                 adaptive=False, rho=20.0, max_iter=15, eps_abs=0, eps_rel=0)  # fmt: skip
    assert not found.converged and found.n_iter == len(found.trace) == 15
    gradient = A.T @ (A @ found.x - b) + found.dual
    np.testing.assert_allclose(np.linalg.norm(gradient), found.dual_residual, rtol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(found.x - found.z), found.primal_residual, rtol=1e-9)


def test_a_warm_start_is_soon_done():
    rng = np.random.default_rng(1)
    A, b = rng.normal(size=(30, 60)), rng.normal(size=30)
    first = lasso(A, b, 2.0, polish=False)
    again = admm(RidgeStep(A, b), lambda v, rho: prox_l1(v, 2.0 / rho), first.z, dual=first.dual, rho=first.rho)
    assert again.n_iter <= first.n_iter / 8


def test_matrices_as_blocks():
    """A quadratic and a nuclear norm: the minimiser is a proximal point."""
    X = rng.normal(size=(3, 3))
    found = admm(lambda v, rho: (X + rho * v) / (1 + rho), lambda v, rho: prox_nuclear(v, 0.5 / rho), np.zeros((3, 3)))
    np.testing.assert_allclose(found.z, prox_nuclear(X, 0.5), atol=1e-6)


def test_a_smooth_problem_by_another_solver():
    """Logistic loss in one block, ridge in the other."""
    A, signs = rng.normal(size=(50, 3)), np.sign(rng.normal(size=50))

    def loss(x):
        return np.logaddexp(0, -signs * (A @ x)).sum()

    def step(v, rho):
        return minimize(lambda x: loss(x) + rho / 2 * np.sum((x - v) ** 2), v, tol=1e-12).x

    exact = minimize(lambda x: loss(x) + x @ x, np.zeros(3), tol=1e-12).x
    found = admm(step, lambda v, rho: rho * v / (2 + rho), np.zeros(3), rho=5.0, eps_abs=1e-7, eps_rel=1e-7)
    np.testing.assert_allclose(found.z, exact, atol=1e-6)


def test_bad_settings_are_named():
    A, b = np.eye(2), np.ones(2)
    for settings, word in (({"rho": 0}, "rho"), ({"relaxation": 2.0}, "relaxation"), ({"max_iter": 0}, "max_iter"),
                           ({"eps_abs": -1.0}, "eps_abs")):  # fmt: skip
        with pytest.raises(ValueError, match=word):
            lasso(A, b, 1.0, **settings)
    with pytest.raises(ValueError, match="penalty"):
        lasso(A, b, -1.0)
    with pytest.raises(ValueError, match="as many"):
        lasso(A, np.ones(3), 1.0)
    with pytest.raises(ValueError, match="infinity"):
        lasso(np.array([[np.inf, 1.0], [1.0, 1.0]]), b, 1.0)
    with pytest.raises(ValueError, match="dimension"):
        basis_pursuit(b, b)
    with pytest.raises(ValueError, match="shape"):
        lasso(np.empty((2, 0)), b, 1.0)
    with pytest.raises(ValueError, match="empty"):
        consensus([], np.zeros(2))
