"""Proximal operators against numerical minimisation, Moreau's identity and optimality conditions."""

import numpy as np
import pytest
from scipy.optimize import minimize

from unmix.optimize import (
    project_ball,
    project_box,
    project_non_negative,
    project_simplex,
    prox_l1,
    prox_norm,
    prox_nuclear,
)

rng = np.random.default_rng(0)


def test_soft_threshold_minimises():
    v = 2 * rng.normal(size=6)
    grid = np.linspace(-6, 6, 240_001)
    brute = [grid[np.argmin(0.7 * np.abs(grid) + (grid - entry) ** 2 / 2)] for entry in v]
    np.testing.assert_allclose(prox_l1(v, 0.7), brute, atol=5e-5)


def test_soft_threshold_takes_a_weight_for_each():
    assert prox_l1([3.0, 3.0], np.array([1.0, 5.0])).tolist() == [2.0, 0.0]


def test_nuclear_norm_minimises():
    """Factors Z, U with ½(‖Z‖² + ‖U‖²) ≥ ‖ZU‖_* give the same minimum by smooth minimisation."""
    V = rng.normal(size=(4, 3))

    def cost(flat):
        Z, U = flat[:12].reshape(4, 3), flat[12:].reshape(3, 3)
        return 0.6 * (flat @ flat) / 2 + np.square(Z @ U - V).sum() / 2

    best = min((minimize(cost, rng.normal(size=21), tol=1e-12) for _ in range(3)), key=lambda r: r.fun)
    X = prox_nuclear(V, 0.6)
    value = 0.6 * np.linalg.svd(X, compute_uv=False).sum() + np.square(X - V).sum() / 2
    assert abs(value - best.fun) < 1e-6
    np.testing.assert_allclose(best.x[:12].reshape(4, 3) @ best.x[12:].reshape(3, 3), X, atol=1e-4)


@pytest.mark.parametrize("prox, dual", [
    (lambda v: prox_l1(v, 0.8), lambda v: project_box(v, -0.8, 0.8)),
    (lambda v: v - project_ball(v, 0.8), lambda v: project_ball(v, 0.8)),
    (lambda v: prox_norm(v, 0.8), lambda v: project_ball(v, 0.8)),
    (lambda v: prox_norm(v.reshape(3, 3), 0.8, axis=0).ravel(),
     lambda v: project_ball(v.reshape(3, 3), 0.8, axis=0).ravel()),
    (project_non_negative, lambda v: -project_non_negative(-v)),
])  # fmt: skip
def test_moreau(prox, dual):
    """v = prox_f(v) + prox_f*(v)."""
    v = 2 * rng.normal(size=9)
    np.testing.assert_allclose(prox(v) + dual(v), v, atol=1e-12)


def test_moreau_of_the_nuclear_norm():
    V = rng.normal(size=(5, 4))
    dual = V - prox_nuclear(V, 0.9)  # the nearest matrix of spectral norm 0.9
    left, values, right = np.linalg.svd(V, full_matrices=False)
    np.testing.assert_allclose(dual, left * np.minimum(values, 0.9) @ right, atol=1e-12)


@pytest.mark.parametrize("total", [1.0, 2.5])
def test_simplex_is_nearest(total):
    for _ in range(20):
        v = 2 * rng.normal(size=5)
        x = project_simplex(v, total)
        assert x.min() >= 0 and abs(x.sum() - total) < 1e-12
        corners = total * np.eye(5)  # optimal: no corner lies ahead of x as seen from v
        assert ((corners - x) @ (v - x)).max() < 1e-12


def test_simplex_of_rows():
    V = rng.normal(size=(4, 6))
    np.testing.assert_allclose(project_simplex(V), [project_simplex(row) for row in V])


def test_ball_is_nearest():
    v, center = rng.normal(size=4), rng.normal(size=4)
    x = project_ball(v, 0.3, center)
    sphere = rng.normal(size=(20_000, 4))
    sphere = center + 0.3 * sphere / np.linalg.norm(sphere, axis=1, keepdims=True)
    assert abs(np.linalg.norm(x - center) - 0.3) < 1e-12
    assert np.linalg.norm(x - v) <= np.linalg.norm(sphere - v, axis=1).min() + 1e-12
    assert np.array_equal(project_ball(v, 100.0), v)
    assert np.isfinite(project_ball(np.full(3, 1e300), 1.0)).all()


def test_balls_and_lengths_of_rows():
    V, steps = 2 * rng.normal(size=(4, 3)), np.array([[0.0], [0.5], [1.0], [50.0]])
    V[2] *= 1e200  # each row has a unit of its own
    np.testing.assert_allclose(project_ball(V, 0.7, axis=1), [project_ball(row, 0.7) for row in V], rtol=1e-14)
    alone = [prox_norm(row, step) for row, step in zip(V, steps.ravel())]
    np.testing.assert_allclose(prox_norm(V, steps, axis=1), alone, rtol=1e-14)
    assert not prox_norm(V, steps, axis=1)[3].any() and np.array_equal(prox_norm(V, steps, axis=1)[0], V[0])


@pytest.mark.parametrize("size", [1e308, 1e-308, 5e-324])
def test_no_size_overflows(size):
    v = np.array([-size, size, size / 4])
    assert abs(project_simplex(v).sum() - 1) < 1e-12
    assert np.linalg.norm(project_ball(v)) <= 1 + 1e-12
    assert np.isfinite(prox_norm(v, 1.0)).all() and np.isfinite(prox_l1(v, 1e300)).all()
    assert prox_l1(np.array([1.0, -2.0], np.float32), 1e300).tolist() == [0.0, 0.0]


EVERY = [prox_l1, project_non_negative, project_box, project_ball, project_simplex, prox_norm]


@pytest.mark.parametrize("prox", EVERY)
def test_single_precision_is_kept_and_bad_input_is_named(prox):
    assert prox(np.array([0.5, -3.0], np.float32)).dtype == np.float32
    with pytest.raises(ValueError, match="NaN"):
        prox([np.nan])
    with pytest.raises(TypeError, match="real numbers"):
        prox(["a"])


def test_impossible_settings_are_named():
    with pytest.raises(ValueError, match="t="):
        prox_l1([1.0], -1.0)
    with pytest.raises(ValueError, match="t="):
        prox_norm([1.0], -1.0)
    with pytest.raises(ValueError, match="infinity"):
        prox_norm([np.inf])
    with pytest.raises(ValueError, match="t="):
        prox_nuclear(np.eye(2), -1.0)
    with pytest.raises(ValueError, match="matrix"):
        prox_nuclear([1.0])
    with pytest.raises(ValueError, match="infinity"):
        prox_nuclear([[np.inf]])
    with pytest.raises(ValueError, match="empty"):
        project_box([1.0], 2.0, 1.0)
    with pytest.raises(ValueError, match="total"):
        project_simplex([1.0], 0.0)
    with pytest.raises(ValueError, match="shape"):
        project_simplex(np.empty(0))
    with pytest.raises(ValueError, match="radius"):
        project_ball([1.0], -1.0)
