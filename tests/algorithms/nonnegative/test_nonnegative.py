"""The solvers of non-negative factorizations against short independent ones: descent, optimality, the rules."""

import numpy as np
import pytest
from numba import njit
from scipy.optimize import minimize, nnls
from scipy.sparse import csr_array

from unmix.algorithms.nonnegative import hals, missing
from unmix.algorithms.nonnegative.divergences import beta_codes, beta_divergence, kullback_leibler
from unmix.algorithms.nonnegative.divergences.kullback_leibler import coordinate_descent
from unmix.algorithms.nonnegative.divergences.multiplicative import multiplicative
from unmix.algorithms.nonnegative.fits.semi import METHODS, descend
from unmix.algorithms.nonnegative.loss import Rule
from unmix.algorithms.nonnegative.problem import Penalty, Problem, begin
from unmix.algorithms.nonnegative.table import safe_scale, suited, sums
from unmix.core.iteration.loop import Run, running
from unmix.core.iteration.trace import Trace
from unmix.io.dispatch import as_blocks

pytestmark = pytest.mark.slow_without_jit
KL = "kullback-leibler"


def table(seed, n=40, d=15, rank=4, zeros=0.3):
    rng = np.random.default_rng(seed)
    X = rng.gamma(0.7, size=(n, rank)) @ rng.gamma(0.7, size=(rank, d)) + 0.2 * rng.random((n, d))
    return np.where(rng.random(X.shape) < zeros, 0.0, X)


def problem(X, weights=None, **options):
    blocks = suited(as_blocks(X))
    return Problem(blocks, weights, squares=blocks.reduce(sums, 1.0, rows=weights).squares, **options)


def start(X, k, seed=0):
    rng = np.random.default_rng(seed + 100)
    return begin(rng.random((X.shape[0], k)) + 0.1, rng.random((k, X.shape[1])) + 0.1)


def objectives(run):
    """What a solver recorded, iteration by iteration, and where it ended."""
    trace = Trace()
    with running(Run(trace)):
        last = run()
    return np.array([row["objective"] for row in trace.rows()]), last


def divergence(X, Y, loss):
    X, Y = np.asarray(X), np.asarray(Y)
    if loss == "frobenius":
        return 0.5 * np.nansum((X - Y) ** 2)
    seen = ~np.isnan(X)
    x, y = X[seen], Y[seen]
    return np.sum(x[x > 0] * np.log(x[x > 0] / y[x > 0])) - x.sum() + y.sum()


def ratio_rule(X, Z, U, loss):
    """Lee and Seung's rule in three lines, codes first."""
    one = np.ones_like(X)
    low = (lambda Z, U: Z @ U) if loss == "frobenius" else (lambda Z, U: one)
    high = (lambda Z, U: X) if loss == "frobenius" else (lambda Z, U: X / (Z @ U))
    Z = Z * (high(Z, U) @ U.T) / (low(Z, U) @ U.T)
    return Z, U * (Z.T @ high(Z, U)) / (Z.T @ low(Z, U))


@pytest.mark.parametrize("loss", ["frobenius", KL])
@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_multiplicative_is_the_textbook_rule_step_for_step(loss, kind):
    X = table(0)
    first = start(X, 3)
    Z, U = first.codes, first.components
    for steps in range(1, 6):
        Z, U = ratio_rule(X, Z, U, loss)
        last = multiplicative(problem(kind(X), tol=0.0), first, steps, Rule(2 if loss == "frobenius" else 1))
        np.testing.assert_allclose(last.codes, Z, rtol=1e-10)
        np.testing.assert_allclose(last.components, U, rtol=1e-10)


@pytest.mark.parametrize("loss", [2.0, 1.0, 0.0, -0.5, 0.5, 1.5, 3.0])
def test_multiplicative_is_that_of_scikit_learn(loss):
    from sklearn.decomposition import non_negative_factorization

    X = table(1, zeros=0.0)
    first = start(X, 3)
    share = 0.3 if loss == 2 else 1.0  # with a squared penalty theirs may raise the other objectives
    penalties = {"alpha_W": 0.01, "alpha_H": 0.02, "l1_ratio": share}
    W, H, _ = non_negative_factorization(
        X,
        first.codes.copy(),
        first.components.copy(),
        n_components=3,
        init="custom",
        solver="mu",
        beta_loss=loss,
        max_iter=20,
        tol=0,
        **penalties,
    )
    codes, components = (Penalty(size * share, size * (1 - share)) for size in (0.01 * 15, 0.02 * 40))
    given = problem(X, codes=codes, components=components, tol=0.0)
    last = multiplicative(given, first, 20, Rule(loss))
    np.testing.assert_allclose(last.codes, W, rtol=1e-6)
    np.testing.assert_allclose(last.components, H, rtol=1e-6)


SOLVERS = {
    "hals": lambda p, s, n: hals.hals(p, s, n),
    "observed": lambda p, s, n: missing.hals_observed(p, s, n),
    "multiplicative": lambda p, s, n: multiplicative(p, s, n, Rule(2)),
    "multiplicative KL": lambda p, s, n: multiplicative(p, s, n, Rule(1)),
    "coordinates KL": lambda p, s, n: coordinate_descent(p, s, n),
    "semi": lambda p, s, n: descend(p, s, n, METHODS["hals"]),
    "semi multiplicative": lambda p, s, n: descend(p, s, n, METHODS["mu"]),
}


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("penalised", [False, True])
def test_the_objective_never_rises(name, seed, penalised):
    X = table(seed)
    if name.startswith("semi"):
        X = X - X.mean()
        penalised = False
    if name == "observed":
        X[np.random.default_rng(seed).random(X.shape) < 0.3] = np.nan
    strength = (Penalty(0.05, 0.1), Penalty(0.2, 0.3)) if penalised else (Penalty(), Penalty())
    weights = np.random.default_rng(seed).integers(1, 4, len(X)).astype(float)
    given = problem(X, weights, codes=strength[0], components=strength[1], tol=0.0)
    found, last = objectives(lambda: SOLVERS[name](given, start(X, 5, seed), 60))
    assert (np.diff(found) <= 1e-10 * found[0]).all()
    if not name.startswith("multiplicative"):  # those record the objective before the step of the components
        Z, U = np.asarray(last.codes), last.components
        value = (
            sum(w * divergence(x, z @ U, KL if "KL" in name else "frobenius") for w, x, z in zip(weights, X, Z))
            + strength[0].of_rows(Z, weights)
            + strength[1].of(U)
        )
        assert found[-1] == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("loss", [-1.0, 0.0, 0.3, 1.0, 1.5, 2.0, 3.0])
@pytest.mark.parametrize("swift", [False, True])
@pytest.mark.parametrize("penalty", [Penalty(), Penalty(2.0, 0.0), Penalty(0.0, 2.0), Penalty(1.0, 100.0)])
def test_no_multiplicative_step_raises_any_divergence(loss, swift, penalty):
    X = table(3, zeros=0.0)
    weights = np.random.default_rng(3).integers(1, 4, len(X)).astype(float)
    given = problem(X, weights, codes=penalty, components=penalty, tol=0.0)
    found, _ = objectives(lambda: multiplicative(given, start(X, 4), 40, Rule(loss, swift)))
    assert (np.diff(found) <= 1e-10 * found[0]).all()


@pytest.mark.parametrize("loss", [-1.0, 0.0, 0.5, 1.5, 3.0])
def test_rows_of_the_beta_divergence_are_those_of_the_definition_and_do_not_cancel(loss):
    rng = np.random.default_rng(0)
    X, Y = rng.gamma(1.0, size=(2, 30, 7))
    Y[:10] = X[:10] * (1 + 1e-5 * rng.standard_normal((10, 7)))
    x, y, b = X.astype(np.longdouble), Y.astype(np.longdouble), np.longdouble(loss)
    if loss == 0:
        expected = x / y - np.log(x / y) - 1
    else:
        expected = (x**b + (b - 1) * y**b - b * x * y ** (b - 1)) / (b * (b - 1))
    found = beta_divergence.row_divergence(X, Y, loss)
    np.testing.assert_allclose(found, expected.sum(axis=1).astype(float), rtol=1e-8)
    X[:, 3] = np.nan
    expected[:, 3] = 0
    np.testing.assert_allclose(
        beta_divergence.row_divergence(X, Y, loss), expected.sum(axis=1).astype(float), rtol=1e-8
    )


@pytest.mark.parametrize("penalty", [Penalty(), Penalty(0.3, 0.0), Penalty(0.1, 0.5)])
@pytest.mark.parametrize("loss", [-1.0, 0.0, 0.5, 1.5, 3.0])
def test_codes_of_a_row_are_stationary_under_any_divergence(loss, penalty):
    rng = np.random.default_rng(1)
    U = rng.gamma(1.0, size=(3, 12))
    X = rng.gamma(1.0, size=(20, 3)) * (rng.random((20, 3)) < 0.7) @ U + 0.05 * rng.gamma(1.0, size=(20, 12))
    X[rng.random(X.shape) < 0.1] = np.nan
    Z = beta_codes.solve_rows(X, U, penalty, 1.0, loss)
    Y, seen = Z @ U, ~np.isnan(X)
    slope = np.where(seen, Y ** (loss - 1) - np.nan_to_num(X) * Y ** (loss - 2), 0) @ U.T + penalty.l1 + penalty.l2 * Z
    size = np.where(seen, Y ** (loss - 1), 0) @ U.T + penalty.l1 + penalty.l2 * Z
    assert (Z >= 0).all()
    assert (Z * np.abs(slope) / size).max() < 1e-5 * Z.max()
    assert (slope / size).min() > -1e-5
    np.testing.assert_array_equal(beta_codes.solve_rows(X[4:7], U, penalty, 1.0, loss), Z[4:7])


@pytest.mark.parametrize("penalised", [False, True])
@pytest.mark.parametrize("loss", ["frobenius", KL])
def test_optimality_conditions_at_convergence(loss, penalised):
    """Gradients are not negative, and zero where a factor is positive."""
    X = table(3)
    l1, l2 = (0.05, 0.1) if penalised else (0.0, 0.0)
    given = problem(X, codes=Penalty(l1, l2), components=Penalty(l1, l2), tol=0.0)
    solver = hals.hals if loss == "frobenius" else coordinate_descent
    last = solver(given, start(X, 3), 3000)
    Z, U = np.asarray(last.codes), last.components
    pull = Z @ U - X if loss == "frobenius" else 1 - np.divide(X, Z @ U, out=np.zeros_like(X), where=X > 0)
    for factor, gradient in ((Z, pull @ U.T), (U, Z.T @ pull)):
        gradient = gradient + l1 + l2 * factor
        assert np.abs(gradient * factor).max() < 1e-5
        assert gradient.min() > -1e-4


def test_codes_are_those_of_nnls():
    rng = np.random.default_rng(0)
    for k in (1, 4, 12):
        U = rng.gamma(0.4, size=(k, 30)) * (rng.random((k, 30)) < 0.6)
        X = rng.normal(size=(50, 30)) + U.sum(axis=0) * 0.4
        Z = hals.solve_rows(X, hals.gram_of(U, 0.0), np.ascontiguousarray(U.T), Penalty(), 1.0)
        np.testing.assert_allclose(Z, [nnls(U.T, x)[0] for x in X], atol=1e-11)


def test_codes_of_rows_with_gaps_are_those_of_nnls_on_the_rest():
    rng = np.random.default_rng(1)
    U = rng.gamma(0.4, size=(4, 20))
    X = rng.random((30, 20))
    X[rng.random(X.shape) < 0.4] = np.nan
    expected = [nnls(U.T[~np.isnan(x)], x[~np.isnan(x)])[0] for x in X]
    np.testing.assert_allclose(missing.solve_rows(X, U, Penalty(), 1.0), expected, atol=1e-10)


def test_codes_are_there_where_components_repeat_each_other():
    U = np.array([[1.0, 2.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    X = np.array([[2.0, 4.0, 0.0], [0.0, 0.0, 5.0]])
    Z = hals.solve_rows(X, hals.gram_of(U, 0.0), np.ascontiguousarray(U.T), Penalty(), 1.0)
    np.testing.assert_allclose(Z @ U, [[2, 4, 0], [0, 0, 0]], atol=1e-12)


@pytest.mark.parametrize("penalty", [Penalty(), Penalty(0.1, 0.2)])
def test_codes_of_the_divergence_are_those_of_a_general_solver(penalty):
    rng = np.random.default_rng(2)
    U = rng.gamma(0.5, size=(3, 12)) + 0.01
    X = rng.poisson(3 * rng.random((5, 3)) @ U).astype(float)
    Z = kullback_leibler.solve_rows(X, U, penalty, 1.0)
    np.testing.assert_allclose(kullback_leibler.solve_rows(csr_array(X), U, penalty, 1.0), Z, atol=1e-10)
    for x, z in zip(X, Z):

        def cost(code, x=x):
            return divergence(x, code @ U, KL) + penalty.l1 * code.sum() + 0.5 * penalty.l2 * (code**2).sum()

        found = minimize(cost, np.ones(3), bounds=3 * [(1e-12, None)], options={"ftol": 1e-14, "gtol": 1e-10})
        assert cost(np.maximum(z, 1e-12)) <= found.fun + 1e-9
        np.testing.assert_allclose(z, found.x, atol=1e-4)


def semi_rule(X, Z):
    """Ding, Li and Jordan: components by least squares, then one step of the codes."""
    U = np.linalg.lstsq(Z, X, rcond=None)[0]
    B, G = X @ U.T, U @ U.T
    plus, minus = (lambda a: (abs(a) + a) / 2), (lambda a: (abs(a) - a) / 2)
    return Z * np.sqrt((plus(B) + Z @ minus(G)) / (minus(B) + Z @ plus(G)))


def test_semi_multiplicative_is_the_rule_step_for_step():
    X = np.random.default_rng(4).normal(size=(30, 6))
    Z = np.random.default_rng(5).random((30, 3)) + 0.2
    first = begin(Z, np.linalg.lstsq(Z, X, rcond=None)[0])
    for steps in range(1, 6):
        Z = semi_rule(X, Z)
        last = descend(problem(X, tol=0.0), first, steps, METHODS["mu"])
        np.testing.assert_allclose(last.codes, Z, rtol=1e-8)
        np.testing.assert_allclose(last.components, np.linalg.lstsq(Z, X, rcond=None)[0], rtol=1e-8)


@pytest.mark.parametrize("size", [1e-300, 1e-30, 1.0, 1e30, 1e300])
def test_the_scale_is_a_power_of_four(size):
    scale = safe_scale(size, np.dtype("f4"))
    assert np.log2(scale) % 2 == 0
    assert scale == 1.0 if size == 1.0 else 0.2 < size * scale < 5


@pytest.mark.parametrize("loss", [-1.0, 0.0, 0.5])
def test_the_model_of_one_coordinate_is_the_bound_itself_for_one_entry(loss):
    from unmix.algorithms.nonnegative.divergences.beta_kernel import aim

    @njit
    def call(*given):  # what kernels alone can call
        return aim(*given)

    x, u, y = 3.0, 0.7, 1.1
    lanes = np.array([[x], [y], [1 / y], [y ** (loss - 1)], [x * y ** (loss - 2)]])
    new, rate = call(np.array([u]), lanes, 1, y / u, loss, 0.0, 0.0, 1 / (2 - loss), 1e-12)
    least = (x * y ** (1 - loss)) ** (1 / (2 - loss)) / u  # of h: u y^(β-1) = x u (z u)^(β-2)
    np.testing.assert_allclose([new, rate], [least, u * y ** (loss - 1)])


@pytest.mark.parametrize("penalty", [Penalty(), Penalty(0.3, 0.2)])
@pytest.mark.parametrize("loss", [-1.0, 0.0, 0.5, 1.0, 1.5, 3.0])
def test_a_step_of_newton_follows_the_derivatives_of_the_divergence_and_is_taken_back_where_it_raises_it(loss, penalty):
    from unmix.algorithms.nonnegative.divergences.newton_kernel import REACH, newton_step

    @njit
    def call(*given):  # what kernels alone can call
        newton_step(*given)

    rng = np.random.default_rng(3)
    U = rng.gamma(1.0, size=(4, 9))
    best = np.array([0.7, 0.0, 1.1, 0.4])
    x, z = best @ U * rng.uniform(0.9, 1.1, 9), best * [1.05, 1.0, 0.95, 1.02]
    rates = U.sum(axis=1) + 0.5 if loss == 1 else np.zeros(4)  # half of them belongs to entries that are zero

    def value(z):
        y = z @ U
        fit = {0.0: lambda: x / y + np.log(y), 1.0: lambda: -x * np.log(y)}.get(
            loss, lambda: y**loss / loss - x * y ** (loss - 1) / (loss - 1)
        )().sum()
        return fit + rates @ z + penalty.l1 * z.sum() + penalty.l2 * (z @ z) / 2

    free = np.eye(4)[z > 0]
    slope = np.array([(value(z + 1e-5 * a) - value(z - 1e-5 * a)) / 2e-5 for a in free])
    hessian = np.array([[sum(s * t * value(z + 1e-4 * (s * a + t * b)) for s in (1, -1) for t in (1, -1)) / 4e-8
                         for a in free] for b in free])  # fmt: skip
    step = free.T @ np.linalg.solve(hessian, slope)
    share = min([1.0, *(REACH * z[step > 0] / step[step > 0])])
    lanes, room, found = np.empty((5, 9)), np.zeros((8, 4)), z.copy()
    lanes[0], room[6, 0] = x, np.inf
    arguments = U, 9, rates, found, loss, *penalty, 1e-150, lanes, room
    call(*arguments, False)
    np.testing.assert_allclose(found, z - share * step, rtol=1e-4, atol=1e-5)
    assert found[1] == 0 and value(found) < value(z)
    for last in (False, True):
        found *= 100.0  # sweeps that do harm
        call(*arguments, last)
        np.testing.assert_array_equal(found, z)
