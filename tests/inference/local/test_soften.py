"""Gibbs marginals against scipy, and the stated error of the exponential."""

import numpy as np
import pytest
from scipy.special import logsumexp, softmax

from unmix.inference.local.soften import FEW, LEAST, constants, exponentials, gibbs


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("dtype, error", [("f4", 3e-7), ("f8", 1e-15)])
def test_exponential_keeps_its_stated_error(dtype, error):
    x = -np.concatenate([np.linspace(0, -LEAST - 0.01, 200_001), np.geomspace(1e-8, 1, 1000)]).astype(dtype)
    numbers, integer = constants(np.dtype(dtype))
    out, work = x.copy(), np.empty((4, x.size), dtype)
    exponentials(out, numbers, work, work.view(integer))
    exact = np.exp(x.astype(np.longdouble))
    assert float(np.abs(out / exact - 1).max()) < error


def test_exponential_of_far_and_infinite_values_is_zero():
    for dtype in ("f4", "f8"):
        x = np.array([0, -41.5, -1e4, -3e38, -np.inf], dtype)
        numbers, integer = constants(np.dtype(dtype))
        work = np.empty((4, x.size), dtype)
        with np.errstate(all="ignore"):
            exponentials(x, numbers, work, work.view(integer))
        np.testing.assert_array_equal(x, [1, 0, 0, 0, 0])


@pytest.mark.parametrize("dtype, tolerance", [("f4", 1e-6), ("f8", 1e-14)])
@pytest.mark.parametrize("beta", [0.3, 1.0, 4.0])
def test_marginals(dtype, tolerance, beta):
    rng = np.random.default_rng(0)
    h, weights = rng.normal(size=(300, 7)).astype(dtype) * 5, rng.random(300)
    q, log_z, cost = gibbs(h.copy(), beta, weights)
    exact = softmax(-beta * h.astype(float), axis=1)
    assert q.dtype == dtype
    np.testing.assert_allclose(q, weights[:, None] * exact, atol=10 * tolerance)
    np.testing.assert_allclose(log_z, logsumexp(-beta * h.astype(float), axis=1), atol=100 * tolerance)
    assert cost == pytest.approx((weights[:, None] * exact * h).sum(), rel=100 * tolerance)


def test_a_component_at_infinity_takes_nothing():
    h = np.array([[1.0, np.inf, 2.0], [np.inf, np.inf, -3.0]])
    with np.errstate(invalid="ignore"):  # as numbers, not as compiled code, infinities warn
        q, log_z, cost = gibbs(h.copy(), 1.0, np.ones(2))
    share = 1 / (1 + np.exp(-1))
    np.testing.assert_allclose(q, [[share, 0, 1 - share], [0, 0, 1]], atol=1e-15)
    np.testing.assert_allclose(log_z, [np.log(np.exp(-1) + np.exp(-2)), 3])
    assert np.isfinite(cost)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_few_distances_have_the_marginals_of_many(dtype):
    """NumPy's route for few rows and the kernel's for many, on the same rows; one component has no weight."""
    rng = np.random.default_rng(0)
    h = (30 * rng.random((FEW, 4))).astype(dtype)
    h[:, 2] = np.inf
    weights = rng.random(FEW)
    many = gibbs(h.copy(), 0.7, weights)
    size, tolerance = FEW // 4, 1e-5 if dtype == np.float32 else 1e-12
    few = [gibbs(h[start : start + size].copy(), 0.7, weights[start : start + size]) for start in range(0, FEW, size)]
    for part in range(2):
        np.testing.assert_allclose(np.concatenate([f[part] for f in few]), many[part], rtol=tolerance, atol=1e-17)
    assert sum(f[2] for f in few) == pytest.approx(many[2], rel=tolerance)
