"""Dual decomposition against closed forms and linear programs."""

import numpy as np
import pytest
from scipy.optimize import linprog, minimize

from unmix.optimize import dual_decomposition

rng = np.random.default_rng(0)


def quadratic(target, weight):
    """f(x) = weight/2 ‖x - target‖²."""

    def part(price):
        x = target - price / weight
        return x, float(weight / 2 * np.sum((x - target) ** 2))

    return part


def linear(cost, high=1.0):
    """f(x) = cost·x on the box [0, high]: the answer is a corner."""

    def part(price):
        x = np.where(cost + price < 0, high, 0.0)
        return x, float(cost @ x)

    return part


def quadratics():
    A = [rng.normal(size=(2, d)) for d in (3, 2, 4)]
    targets, weights, b = [rng.normal(size=d) for d in (3, 2, 4)], [1.0, 2.0, 4.0], rng.normal(size=2)
    # y solves (Σ A_i A_iᵀ / w_i) y = Σ A_i t_i - b
    system = sum(M @ M.T / w for M, w in zip(A, weights))
    y = np.linalg.solve(system, sum(M @ t for M, t in zip(A, targets)) - b)
    exact = [t - M.T @ y / w for M, t, w in zip(A, targets, weights)]
    parts = [quadratic(t, w) for t, w in zip(targets, weights)]
    return parts, A, b, y, exact, np.linalg.norm(system, 2)


def test_quadratics_with_constant_steps():
    parts, A, b, y, exact, curvature = quadratics()
    found = dual_decomposition(parts, A, b, step="constant", size=1 / curvature, eps_abs=1e-9, eps_rel=1e-9)
    assert found.converged
    np.testing.assert_allclose(found.prices, y, atol=1e-6)
    for got, want in zip(found.x, exact):
        np.testing.assert_allclose(got, want, atol=1e-6)
    assert abs(found.value - found.bound) < 1e-6


@pytest.mark.parametrize("known", [True, False])
def test_quadratics_with_polyak_steps(known):
    parts, A, b, y, exact, _ = quadratics()
    optimum = sum(part(M.T @ y)[1] for part, M in zip(parts, A)) if known else None
    found = dual_decomposition(parts, A, b, step="polyak", optimum=optimum, eps_abs=1e-7, eps_rel=1e-7, max_iter=5000)
    np.testing.assert_allclose(found.prices, y, atol=1e-4)
    for got, want in zip(found.x, exact):
        np.testing.assert_allclose(got, want, atol=1e-4)


def programs():
    costs = [-rng.random(5), -rng.random(4)]
    A = [rng.random((2, 5)), rng.random((2, 4))]
    b = np.array([1.5, 2.0])
    exact = linprog(np.concatenate(costs), A_ub=np.hstack(A), b_ub=b, bounds=(0, 1), method="highs")
    return [linear(c) for c in costs], A, b, exact


def test_shared_resources_of_linear_programs():
    """Corners jump; the bound reaches the optimum, known or guessed."""
    parts, A, b, exact = programs()
    found = dual_decomposition(parts, A, b, inequality=True, step="polyak", optimum=exact.fun, max_iter=1000)
    assert found.bound <= exact.fun + 1e-9
    assert abs(found.bound - exact.fun) < 1e-6
    assert (found.prices >= 0).all()
    blind = dual_decomposition(parts, A, b, inequality=True, step="polyak", max_iter=1000)
    assert blind.bound <= exact.fun + 1e-9 and abs(blind.bound - exact.fun) < 1e-3


def test_falling_steps_approach_the_program():
    parts, A, b, exact = programs()
    found = dual_decomposition(parts, A, b, inequality=True, size=0.5, max_iter=2000)
    assert exact.fun - 0.01 < found.bound <= exact.fun + 1e-9
    assert found.residual < 3e-3 and abs(found.value - exact.fun) < 3e-3
    assert all(row["bound"] <= exact.fun + 1e-9 for row in found.trace)


def test_a_constraint_that_does_not_bind_has_no_price():
    parts = [quadratic(np.array([1.0]), 1.0), quadratic(np.array([2.0]), 1.0)]
    found = dual_decomposition(parts, [[[1.0]], [[1.0]]], [10.0], inequality=True)
    assert found.converged and found.prices == 0 and [x.item() for x in found.x] == [1.0, 2.0]
    binding = dual_decomposition(parts, [[[1.0]], [[1.0]]], [1.0], inequality=True, step="constant", size=0.5)
    reference = minimize(lambda x: ((x - [1, 2]) ** 2).sum() / 2, [0, 0], tol=1e-12,
                         constraints={"type": "ineq", "fun": lambda x: 1 - x.sum()}).x  # fmt: skip
    np.testing.assert_allclose(np.concatenate(binding.x), reference, atol=1e-6)


def test_bad_input_is_named():
    part = quadratic(np.zeros(1), 1.0)
    with pytest.raises(ValueError, match="one matrix a part"):
        dual_decomposition([part], [], [1.0])
    with pytest.raises(ValueError, match="as many"):
        dual_decomposition([part], [[[1.0], [2.0]]], [1.0])
    with pytest.raises(ValueError, match="step"):
        dual_decomposition([part], [[[1.0]]], [1.0], step="big")
    with pytest.raises(ValueError, match="prices"):
        dual_decomposition([part], [[[1.0]]], [1.0], inequality=True, prices=[-1.0])
    with pytest.raises(ValueError, match="size"):
        dual_decomposition([part], [[[1.0]]], [1.0], size=0.0)
