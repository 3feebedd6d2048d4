"""Proximal maps against minimisation that knows no formula, and every constraint met to the last digits."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar

from unmix.constraints import (
    L1,
    Box,
    Fixed,
    Free,
    Group,
    NonNegative,
    Normal,
    OneHot,
    Orthonormal,
    Ridge,
    Simplex,
    Smooth,
    Sparse,
    UnitNorm,
)

M, K = 3, 4
LABELS = ("a", "b", "a", "a")
VALUES = np.random.default_rng(5).normal(size=(M, K))
CONSTRAINTS = [
    Free(), Ridge(0.7), Normal(), L1(0.8), L1(0.4, l2=0.9), NonNegative(), NonNegative(0.3, 0.5), Box(), Box(-0.2, 0.4),
    Box(0.5, np.inf), Sparse(1), Sparse(2), Sparse(9), Simplex(), Simplex(2.5), OneHot(), UnitNorm(), UnitNorm(False),
    Smooth(0.9), Smooth(0.9, "rows"), Group(0.4), Group(0.5, LABELS), Group(0.3, "columns"), Orthonormal(),
    Fixed(VALUES),
]  # fmt: skip
everyone = pytest.mark.parametrize("constraint", CONSTRAINTS, ids=repr)


def matrix(seed=0, shape=(M, K), size=1.5):
    return size * np.random.default_rng(seed).normal(size=shape)


def smallest(cost, n, shape_of, seed=0, turns=4):
    """The best of several minimisations over numbers without limits, which ``shape_of`` turns into allowed points."""
    rng = np.random.default_rng(seed)
    found = [minimize(lambda u: cost(shape_of(u)), rng.normal(size=n), method="BFGS") for _ in range(turns)]
    best = min(found, key=lambda result: result.fun)
    return shape_of(best.x)


def by_entry(l1, l2, low, high):
    def nearest(V, t):
        def one(v):
            ends = (max(low, -9.0), min(high, 9.0))
            cost = lambda a: t * (l1 * abs(a) + l2 * a * a / 2) + (a - v) ** 2 / 2  # noqa: E731
            inner = minimize_scalar(cost, bounds=ends, method="bounded", options={"xatol": 1e-12}).x
            return min([inner, *ends, *([0.0] if low <= 0 <= high else [])], key=cost)

        return np.vectorize(one)(V)

    return nearest


def by_vector(shape_of, n=K, penalty=lambda v: 0.0):
    def nearest(V, t):
        def cost_to(v):
            return lambda w: t * penalty(w) + np.square(w - v).sum() / 2

        return np.stack([smallest(cost_to(v), n, shape_of) for v in V])

    return nearest


def by_choice(points_for):
    """Of all the points that come into question the nearest, listed."""

    def nearest(V, t):
        return np.stack([min(points_for(v), key=lambda w, v=v: np.square(w - v).sum()) for v in V])

    return nearest


def supports(s):
    places = [list(chosen) for chosen in combinations(range(K), min(s, K))]
    return lambda v: [np.where(np.isin(np.arange(K), chosen), v, 0.0) for chosen in places]


def smoothed(k):
    differences = np.diff(np.eye(k), axis=0)
    return lambda V, t: np.linalg.solve(np.eye(k) + t * 0.9 * differences.T @ differences, V.T).T


def near_length(v):
    return np.sqrt(np.square(v).sum() + 1e-12)


def grouped(v):
    return 0.5 * (np.sqrt(3) * near_length(v[[0, 2, 3]]) + near_length(v[1:2]))


def polar(u):
    """An orthonormal matrix: any one is the Q of some QR with a positive diagonal."""
    q, r = np.linalg.qr(u.reshape(K, M))
    return (q * np.sign(np.diag(r))).T


def in_the_ball(u):
    return u * np.sinc(np.linalg.norm(u) / np.pi)  # of length |sin ‖u‖|


BRUTE = dict(zip(map(repr, CONSTRAINTS), [
    lambda V, t: V,
    by_entry(0, 0.7, -np.inf, np.inf),
    by_entry(0, 1, -np.inf, np.inf),
    by_entry(0.8, 0, -np.inf, np.inf),
    by_entry(0.4, 0.9, -np.inf, np.inf),
    by_entry(0, 0, 0, np.inf),
    by_entry(0.3, 0.5, 0, np.inf),
    by_entry(0, 0, 0, 1),
    by_entry(0, 0, -0.2, 0.4),
    by_entry(0, 0, 0.5, np.inf),
    by_choice(supports(1)),
    by_choice(supports(2)),
    by_choice(supports(9)),
    by_vector(lambda u: u * u / (u @ u)),
    by_vector(lambda u: 2.5 * u * u / (u @ u)),
    by_choice(lambda v: np.eye(K)),
    by_vector(in_the_ball),
    by_vector(lambda u: u / np.linalg.norm(u)),
    smoothed(K),
    lambda V, t: smoothed(M)(V.T, t).T,
    by_vector(lambda u: u, penalty=lambda v: 0.4 * 2 * near_length(v)),
    by_vector(lambda u: u, penalty=grouped),
    lambda V, t: by_vector(lambda u: u, M, lambda v: 0.3 * np.sqrt(M) * near_length(v))(V.T, t).T,
    lambda V, t: smallest(lambda W: np.square(W - V).sum(), M * K, polar, turns=8),
    lambda V, t: VALUES,
]))  # fmt: skip


def value(constraint, W, V, t):
    return t * constraint.penalty(W).sum() + np.square(W - V).sum() / 2


@everyone
@pytest.mark.parametrize("t", [0.0, 0.6])
def test_no_allowed_point_is_better(constraint, t):
    V = matrix()
    V[1] *= 0.2  # a short one among the long
    brute, W = BRUTE[repr(constraint)](V, t), constraint.prox(V, t)
    np.testing.assert_allclose(W, brute, atol=1e-4)
    assert value(constraint, W, V, t) <= value(constraint, brute, V, t) + 1e-9


PENALTIES = [
    (Ridge(0.7), lambda V: 0.35 * (V**2).sum(axis=1)),
    (L1(0.4, 0.9), lambda V: 0.4 * abs(V).sum(axis=1) + 0.45 * (V**2).sum(axis=1)),
    (NonNegative(0.3, 0.5), lambda V: 0.3 * abs(V).sum(axis=1) + 0.25 * (V**2).sum(axis=1)),
    (Smooth(0.9), lambda V: 0.45 * ((V[:, 1:] - V[:, :-1]) ** 2).sum(axis=1)),
    (Smooth(0.9, ridge=0.4), lambda V: 0.45 * (np.diff(V) ** 2).sum(axis=1) + 0.2 * (V**2).sum(axis=1)),
    (Smooth(0.9, "rows"), lambda V: np.full(M, 0.45 * ((V[1:] - V[:-1]) ** 2).sum() / M)),
    (Group(0.4), lambda V: 0.8 * np.linalg.norm(V, axis=1)),
    (Group(0.5, LABELS), lambda V: np.array([grouped(v) for v in V])),
    (Group(0.3, "columns"), lambda V: np.full(M, 0.3 * np.sqrt(M) * np.linalg.norm(V, axis=0).sum() / M)),
]


@pytest.mark.parametrize("constraint, definition", PENALTIES, ids=lambda part: repr(part)[:24])
def test_penalties_are_their_definitions(constraint, definition):
    np.testing.assert_allclose(constraint.penalty(matrix(2)), definition(matrix(2)), rtol=1e-10)


@everyone
def test_steps_of_their_own(constraint):
    """With a step for each vector every vector is as if it were alone; a matrix takes one for all."""
    V, steps = matrix(1), np.array([[0.0], [0.3], [2.0]])
    if constraint.scope == "matrix":
        equal = constraint.prox(V, np.full((M, 1), 0.3))
        assert np.array_equal(equal, constraint.prox(V, 0.3))
        return
    alone = np.concatenate([constraint.prox(V[i : i + 1], float(steps[i, 0])) for i in range(M)])
    np.testing.assert_allclose(constraint.prox(V, steps), alone, rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(constraint.penalty(V), np.concatenate([constraint.penalty(v[None]) for v in V]))


@everyone
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_same_bits_in_blocks_and_in_both_orders_of_memory(constraint, dtype):
    k = K if constraint == Group(0.5, LABELS) else 33
    if constraint.scope == "matrix":
        return
    V, steps = matrix(7, (20, k)).astype(dtype), np.random.default_rng(8).uniform(0, 2, size=(20, 1)).astype(dtype)
    W, paid = constraint.prox(V, steps), constraint.penalty(V)
    for size in (1, 3, 8):
        parts = [slice(start, start + size) for start in range(0, 20, size)]
        assert np.array_equal(np.concatenate([constraint.prox(V[part], steps[part]) for part in parts]), W)
        assert np.array_equal(np.concatenate([constraint.penalty(V[part]) for part in parts]), paid)
    turned = np.asfortranarray(V)
    assert np.array_equal(constraint.prox(turned, steps), W) and np.array_equal(constraint.penalty(turned), paid)


SIZES = {np.float64: (0.0, 1.0, 1e6, 1e-6, 1e300, 1e-300, 5e-324), np.float32: (0.0, 1.0, 1e6, 1e-6, 3e38, 1e-44)}


@everyone
@pytest.mark.parametrize("dtype, limit", [(np.float64, 1e-10), (np.float32, 1e-6)])
def test_constraints_are_met_in_every_unit(constraint, dtype, limit):
    rng = np.random.default_rng(3)
    for size in SIZES[dtype]:
        V = (rng.uniform(-1, 1, size=(M, K)) * size).astype(dtype)
        before = V.copy()
        for step in (0.0, 0.5, 1e-300, 1e300, np.float64(0.5), np.full((M, 1), 0.5, dtype)):
            W = constraint.prox(V, step)
            assert W.dtype == dtype and W.shape == V.shape and np.isfinite(W).all()
            assert constraint.violation(W) <= limit
            assert not np.shares_memory(V, W) and np.array_equal(V, before)


@everyone
def test_single_precision_agrees_with_double(constraint):
    V = matrix(4).astype(np.float32)
    np.testing.assert_allclose(constraint.prox(V, 0.4), constraint.prox(V.astype(np.float64), 0.4), atol=2e-6)


@everyone
@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (1, 4), (6, 1), (2, 7), (7, 2)])
def test_any_shape(constraint, shape):
    if isinstance(constraint, Fixed) or constraint == Group(0.5, LABELS):
        return
    V = matrix(6, shape)
    W = constraint.prox(V, 0.5)
    assert W.shape == shape and constraint.violation(W) < 1e-10
    assert constraint.penalty(W).shape == shape[:1] and constraint.penalty(W).dtype == np.float64


@pytest.mark.parametrize("common", [True, False])
def test_the_best_label_is_found_among_all(common):
    rng = np.random.default_rng(0)
    A = rng.normal(size=(1 if common else 6, K, K))
    gram, cross = A @ A.transpose(0, 2, 1), rng.normal(size=(6, K))
    found = OneHot().solve(gram, cross, np.zeros((6, K), np.float32))
    for i, v in enumerate(found):
        costs = [e @ gram[0 if common else i] @ e / 2 - cross[i] @ e for e in np.eye(K)]
        assert v.tolist() == np.eye(K)[np.argmin(costs)].tolist()
    assert found.dtype == np.float32


def test_equal_entries_are_settled_by_the_first():
    assert Sparse(2).prox(np.array([[1.0, -1.0, 1.0]]), 0.0).tolist() == [[1.0, -1.0, 0.0]]
    assert OneHot().prox(np.zeros((1, 3)), 0.0).tolist() == [[1.0, 0.0, 0.0]]
    assert UnitNorm(False).prox(np.zeros((1, 3)), 0.0).tolist() == [[1.0, 0.0, 0.0]]


def test_rank_deficient_matrices_become_orthonormal():
    V = np.outer([1.0, 2.0, -1.0], [1.0, 0.5, 0.0, 3.0])
    for given in (V, V.T, np.zeros((3, 4)), V.astype(np.float32)):
        assert Orthonormal().violation(Orthonormal().prox(given, 0.0)) < 1e-6


def test_long_smooth_vectors_solve_their_equations():
    """(I + t λ L) w = v, one step each."""
    V, steps = matrix(0, (5, 997)), np.array([[0.0], [1e-3], [1.0], [1e3], [1e6]])
    W = Smooth(2.0).prox(V, steps)
    inner = np.diff(np.pad(W, ((0, 0), (1, 1)), mode="edge"), axis=1)
    np.testing.assert_allclose(W - 2.0 * steps * np.diff(inner, axis=1), V, atol=1e-7)
    np.testing.assert_allclose(W.mean(axis=1), V.mean(axis=1), atol=1e-12)
