"""Nothing the convex tools answer depends on the units of the problem, and converged means optimal.

Optimality is computed here from the definitions, in the units of the caller.
"""

from functools import partial

import numpy as np
import pytest
from scipy.optimize import linprog

from unmix.optimize import (
    admm,
    basis_pursuit,
    consensus,
    dual_decomposition,
    lasso,
    least_squares_part,
    project_ball,
    project_box,
    project_non_negative,
    project_simplex,
    prox_l1,
    prox_nuclear,
)
from unmix.optimize.duality.recovery import Window, add_to, mean_of
from unmix.optimize.ridge import RidgeStep
from unmix.optimize.units import column_units, power_of_two

rng = np.random.default_rng(0)
A = rng.normal(size=(30, 50))
TRUTH = np.zeros(50)
TRUTH[[4, 20, 33]] = 2.0, -1.0, 3.0
b = A @ TRUTH + 0.01 * rng.normal(size=30)
PENALTY = 0.1 * np.abs(A.T @ b).max()
SCALES = [1e-12, 1e-8, 1e-4, 3.0, 1e8, 1e12]
BINARY = [2.0**-40, 0.5, 2.0**40]


def lasso_violation(A, b, penalty, x):
    """How far x is from the optimality conditions, as a share of the penalty."""
    slopes = A.T @ (b - A @ x)
    wrong = np.where(x != 0, np.abs(slopes - penalty * np.sign(x)), np.abs(slopes) - penalty)
    return wrong.max() / penalty


@pytest.mark.parametrize("c", SCALES)
@pytest.mark.parametrize("polish", [True, False])
def test_the_lasso_in_other_units_is_the_same(c, polish):
    plain = lasso(A, b, PENALTY, polish=polish)
    for d in (1e-12, 1.0, 1e12):
        found = lasso(c * A, d * b, c * d * PENALTY, polish=polish)
        assert found.converged and np.array_equal(found.z != 0, plain.z != 0)
        np.testing.assert_allclose(found.z * (c / d), plain.z, rtol=0, atol=1e-6 if not polish else 1e-13)
        assert lasso_violation(c * A, d * b, c * d * PENALTY, found.z) <= 1e-6


@pytest.mark.parametrize("c", BINARY)
def test_powers_of_two_keep_every_bit(c):
    plain, found = lasso(A, b, PENALTY), lasso(c * A, 4 * b, 4 * c * PENALTY)
    assert np.array_equal(found.z * c / 4, plain.z) and np.array_equal(found.dual / (4 * c), plain.dual)
    assert found.rho == plain.rho * c**2 and found.n_iter == plain.n_iter
    assert found.trace[-1] == {
        "primal": plain.trace[-1]["primal"] * 4 / c, "primal_limit": plain.trace[-1]["primal_limit"] * 4 / c,
        "dual": plain.trace[-1]["dual"] * 4 * c, "dual_limit": plain.trace[-1]["dual_limit"] * 4 * c,
        "rho": plain.rho * c**2,
    }  # fmt: skip
    exact = A @ TRUTH
    assert np.array_equal(basis_pursuit(c * A, 4 * exact).z * c / 4, basis_pursuit(A, exact).z)


@pytest.mark.parametrize("share", [1e-12, 1e-8, 1e-5, 1e-3, 0.1, 0.9, 1.5])
@pytest.mark.parametrize("shape", [(40, 10), (15, 60)])
def test_a_converged_lasso_is_optimal_at_any_penalty(share, shape):
    A, b = rng.normal(size=shape), rng.normal(size=shape[0])
    penalty = share * np.abs(A.T @ b).max()
    rough = {"eps_abs": 1e-2, "eps_rel": 1e-2, "polish": False}
    for settings in ({"max_iter": 2000}, {"polish": False, "max_iter": 1000}, {"max_iter": 30}, rough):
        found = lasso(A, b, penalty, **settings)
        room = 1e-6 if "eps_abs" not in settings else 1.0
        rounding = 1e-8 * np.abs(A.T @ b).max() / penalty if share < 1e-10 else 0.0
        fine = 1e-11 * np.linalg.norm(b) * np.linalg.norm(A, axis=0).max() / penalty
        assert not found.converged or lasso_violation(A, b, penalty, found.z) <= room + 30 * rounding + fine
        assert found.converged or "polish" in settings


def test_columns_in_units_of_their_own():
    """One column a million times larger than the others, or smaller."""
    many = A * np.where(np.arange(50) == 7, 1e6, 1.0)
    found = lasso(many, b, PENALTY)
    assert found.converged and lasso_violation(many, b, PENALTY, found.z) <= 1e-6
    small = A * np.where(np.arange(50) == 4, 1e-6, 1.0)  # too dear now
    found = lasso(small, b, PENALTY)
    assert found.converged and found.z[4] == 0 and lasso_violation(small, b, PENALTY, found.z) <= 1e-6


def least_sum(A, b, costs=1.0):
    d = A.shape[1]
    program = linprog(np.broadcast_to(costs, (2, d)).ravel(), A_eq=np.hstack([A, -A]), b_eq=b, method="highs")
    return program.x[:d] - program.x[d:]


@pytest.mark.parametrize("c", SCALES)
def test_basis_pursuit_in_other_units_is_the_same(c):
    few, right = A[:12, :20], rng.normal(size=12)
    reference = least_sum(few, right)
    for d in (1e-12, 1.0, 1e12):
        found = basis_pursuit(c * few, d * right)
        assert found.converged
        np.testing.assert_allclose(found.z * (c / d), reference, rtol=0, atol=1e-9)
    rough = basis_pursuit(c * A, A @ TRUTH, polish=False)
    assert rough.converged
    np.testing.assert_allclose(rough.z * c, TRUTH, rtol=0, atol=1e-6)


def test_basis_pursuit_is_finished_where_alternating_directions_are_slow():
    found, rough = basis_pursuit(A, b, max_iter=500), basis_pursuit(A, b, max_iter=500, polish=False)
    assert found.converged and not rough.converged
    np.testing.assert_allclose(found.z, least_sum(A, b), atol=1e-9)


def test_equations_and_columns_in_units_of_their_own():
    few, right = A[:12, :20], rng.normal(size=12)
    rows = 10.0 ** rng.integers(-12, 13, 12)
    np.testing.assert_allclose(basis_pursuit(few * rows[:, None], right * rows).z, least_sum(few, right), atol=1e-9)
    columns = np.where(np.arange(20) == 7, 1e4, 1.0)
    found = basis_pursuit(few * columns, right)
    assert found.converged
    np.testing.assert_allclose(found.z * columns, least_sum(few, right, 1 / columns), atol=1e-9)


def test_an_early_stop_is_not_called_converged():
    assert not basis_pursuit(A, b, max_iter=3, polish=False).converged
    assert not lasso(A, b, 1e-3 * PENALTY, max_iter=3, polish=False).converged


@pytest.mark.parametrize("c", SCALES)
def test_consensus_and_alternating_directions_in_other_units(c):
    A, b = rng.normal(size=(60, 5)), rng.normal(size=60)
    exact = np.linalg.lstsq(A, b, rcond=None)[0]
    rows = slice(0, 20), slice(20, 60)
    known = consensus([least_squares_part(c * A[r], b[r]) for r in rows], np.zeros(5))
    hidden = [least_squares_part(c * A[r], b[r]) for r in rows]
    blind = consensus([lambda v, rho, part=part: part(v, rho) for part in hidden], np.zeros(5))
    for found in (known, blind):
        assert found.converged
        np.testing.assert_allclose(found.z * c, exact, atol=1e-6)


@pytest.mark.parametrize("c", SCALES)
def test_a_box_by_alternating_directions_in_other_units(c):
    """½ c ‖x - t‖² on a box has the nearest point as its answer, whatever the worth of the objective."""
    target = np.array([2.0, -1.0, 0.3])
    for d in (1e-9, 1.0, 1e9):
        near = partial(lambda d, v, rho: (c * d * target + rho * v) / (c + rho), d)
        found = admm(near, partial(lambda d, v, rho: project_box(v, 0, d), d), np.full(3, 0.7 * d))
        assert found.converged
        np.testing.assert_allclose(found.z, d * np.array([1.0, 0.0, 0.3]), rtol=1e-6, atol=1e-7 * d)


def test_an_answer_of_nothing_is_found():
    target = np.array([-2.0, -1.0])
    found = admm(lambda v, rho: (target + rho * v) / (1 + rho), lambda v, rho: project_non_negative(v), np.ones(2))
    assert found.converged and not found.z.any()
    free = admm(lambda v, rho: (target + rho * v) / (1 + rho), lambda v, rho: v, np.ones(2))
    assert free.converged
    np.testing.assert_allclose(free.z, target, atol=1e-6)


@pytest.mark.parametrize("rho", [1e-12, 1e-3, 1.0, 1e12])
def test_the_ridge_step_solves_its_equations(rho):
    for shape in ((20, 8), (8, 20)):
        A, b, v = rng.normal(size=shape), rng.normal(size=shape[0]), rng.normal(size=shape[1])
        x = RidgeStep(A, b)(v, rho)
        stacked = np.vstack([A, np.sqrt(rho) * np.eye(shape[1])])
        exact = np.linalg.lstsq(stacked, np.r_[b, np.sqrt(rho) * v], rcond=None)[0]
        if rho >= 1e-3 or shape[0] > shape[1]:
            np.testing.assert_allclose(x, exact, atol=1e-11)
        gradient = A.T @ (A @ x - b) + rho * (x - v)
        assert np.abs(gradient).max() <= 1e-12 * max(1.0, rho)


def suppliers(worth, length):
    """Costs worth/2 (x/length)² and worth (x/length)²; a demand of 3 lengths is shared 2 : 1."""

    def part(weight):
        curvature = weight * worth / length**2

        def answer(price):
            return -price / curvature, float(price @ price) / (2 * curvature)

        return answer

    return [part(1.0), part(2.0)]


@pytest.mark.parametrize("worth", [1e-12, 1.0, 1e12])
@pytest.mark.parametrize("length", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("step", ["constant", "polyak"])
def test_prices_in_other_units(worth, length, step):
    parts = suppliers(worth, length)
    found = dual_decomposition(parts, [[[1.0]], [[1.0]]], [3.0 * length], step=step, max_iter=2000)
    assert found.converged
    np.testing.assert_allclose([x.item() / length for x in found.x], [2.0, 1.0], atol=1e-5)
    np.testing.assert_allclose([found.prices[0] * length / worth, found.value / worth], [-2.0, 3.0], rtol=1e-5)


@pytest.mark.parametrize("c", BINARY)
def test_prices_keep_every_bit_in_powers_of_two(c):
    plain = dual_decomposition(suppliers(1.0, 1.0), [[[1.0]], [[1.0]]], [3.0], max_iter=50)
    found = dual_decomposition(suppliers(c, 2.0), [[[1.0]], [[1.0]]], [6.0], max_iter=50)
    assert found.bound == plain.bound * c and found.n_iter == plain.n_iter
    assert np.array_equal(np.concatenate(found.x) / 2, np.concatenate(plain.x))


def test_costs_with_an_offset_are_not_called_converged_early():
    """A constant in the costs is no scale of the gap."""
    parts = suppliers(1.0, 1.0)
    shifted = [lambda p, part=part: (part(p)[0], part(p)[1] + 1e6) for part in parts]
    found = dual_decomposition(shifted, [[[1.0]], [[1.0]]], [3.0], step="constant", eps_rel=1e-6)
    np.testing.assert_allclose([x.item() for x in found.x], [2.0, 1.0], atol=1e-5)
    assert found.converged


def test_an_answer_without_a_step_weighs_as_much_as_those_before():
    window = Window.empty(1)
    for value in (1.0, 3.0):
        window = add_to(window, np.array([value]), 0.0, 1e-30)
    window = add_to(window, np.array([100.0]), 0.0, 0.0)
    assert 25 < mean_of(window)[0] < 75


@pytest.mark.parametrize("c", [2.0**-60, 2.0**60])
def test_proximal_operators_scale_with_their_argument(c):
    v, V = rng.normal(size=6), rng.normal(size=(4, 3))
    assert np.array_equal(prox_l1(c * v, c * 0.4), c * prox_l1(v, 0.4))
    np.testing.assert_allclose(prox_nuclear(c * V, c * 0.4), c * prox_nuclear(V, 0.4), rtol=1e-13, atol=1e-15 * c)
    assert np.array_equal(project_ball(c * v, c * 0.4, c), c * project_ball(v, 0.4, 1.0))
    assert np.array_equal(project_box(c * v, -c, c * 0.4), c * project_box(v, -1, 0.4))
    assert np.array_equal(project_simplex(c * v, c * 0.4), c * project_simplex(v, 0.4))


@pytest.mark.parametrize("size", [1e200, 1e-200, 1.7e308, 1e-310])
def test_the_ball_of_any_size(size):
    np.testing.assert_allclose(project_ball([size, 0.0, -size], 1e-320), [0.0, 0.0, 0.0], atol=1e-319)
    near = project_ball([3 / 5 * size, 4 / 5 * size], size / 2)
    np.testing.assert_allclose(near / size, [0.3, 0.4], rtol=1e-3 if size < 1e-300 else 1e-12)


def test_an_infinite_point_has_no_nearest_one():
    for v, center in (([np.inf, 1.0], 0.0), ([1.0, 1.0], -np.inf)):
        with pytest.raises(ValueError, match="infinity"):
            project_ball(v, 1.0, center)
    assert np.array_equal(project_ball([3.0, 4.0], np.inf), [3.0, 4.0])


def test_units_are_powers_of_two():
    sizes = np.array([0.0, 1e-300, 0.7, 0.8, 1.0, 3.1, 1.7e308])
    units = power_of_two(sizes)
    assert np.array_equal(np.frexp(units)[0], np.full(7, 0.5)) and units[0] == 1 and units[4] == 1 and units[5] == 4
    columns, common = column_units(np.array([[3e200, 1e100, 0.0], [4e200, 0.0, 0.0]]))
    lengths = np.array([5e200, 1e100]) * columns[:2]
    assert (lengths > 0.7).all() and (lengths < 1.5).all() and columns[2] == common


@pytest.mark.parametrize("solve", [
    lambda A, b: lasso(A, b, 1.0),
    lambda A, b: basis_pursuit(A, b),
    lambda A, b: consensus([least_squares_part(A, b)], np.zeros(A.shape[1])),
    lambda A, b: (prox_l1(b), prox_nuclear(A), project_ball(b), project_box(b), project_simplex(b)),
])  # fmt: skip
def test_what_is_given_is_not_changed(solve):
    matrix, right = A.copy(), b.copy()
    matrix.flags.writeable = right.flags.writeable = False
    solve(matrix, right)
