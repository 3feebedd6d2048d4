"""The soft bottleneck against its equations, rate–distortion theory and the one channel with a closed form."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.sparse import csr_array

from unmix.inference.bottleneck.first_split import first_split
from unmix.inference.bottleneck.information_curve import curve_downwards, curve_upwards, information_curve
from unmix.inference.bottleneck.soft import Code, decode, encode, relax
from unmix.information import kl_divergence, mutual_information, rate_distortion
from unmix.information.objects import as_objects

rng = np.random.default_rng(0)
COUNTS = rng.poisson(3.0, (8, 5)) + 6.0 * np.eye(8, 5)
BIT = np.log(2)


def entropy_of(x):
    return -(x * np.log2(x) + (1 - x) * np.log2(1 - x))


def identity_code(objects):
    rows = objects.rows.toarray() if hasattr(objects.rows, "toarray") else objects.rows
    return Code(objects.mass, rows)


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_fixed_point_satisfies_the_three_equations(kind):
    objects, beta = as_objects(kind(COUNTS)), 12.0
    code = relax(objects, identity_code(objects), beta, tol=1e-14, max_iter=20_000)
    rows = identity_code(objects).distributions
    divergence = np.array([[kl_divergence(p, u, base=np.e) for u in code.distributions] for p in rows])
    q = code.mass * np.exp(-beta * divergence)
    q /= q.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(objects.mass @ q, code.mass, atol=1e-5)
    laws = (q * objects.mass[:, None]).T @ rows / (objects.mass @ q)[:, None]
    np.testing.assert_allclose(laws, code.distributions, atol=1e-5)
    assert code.rate == pytest.approx(mutual_information(q * objects.mass[:, None]) * BIT, abs=1e-6)
    assert code.information == pytest.approx(mutual_information((q * objects.mass[:, None]).T @ rows) * BIT, abs=1e-6)


def test_objective_never_rises():
    objects, beta = as_objects(COUNTS), 9.0
    code = Code(np.full(4, 0.25), rng.dirichlet(np.ones(5), 4))
    values = []
    for _ in range(40):
        code = relax(objects, code, beta, tol=0.0, max_iter=1)
        values.append(code.lagrangian(beta))
    assert (np.diff(values) <= 1e-12).all() and values[0] - values[-1] > 1e-3


def test_rate_is_what_rate_distortion_theory_asks_for():
    """With its laws fixed, the bottleneck is a rate–distortion problem with distortion KL."""
    objects, beta = as_objects(COUNTS), 12.0
    code = relax(objects, identity_code(objects), beta, tol=1e-13, max_iter=20_000)
    divergence = [[min(kl_divergence(p, u, base=np.e), 1e3) for u in code.distributions] for p in objects.rows]
    curve = rate_distortion(objects.mass, divergence, beta, tol=1e-8, max_iter=100_000)
    lost = objects.shared_nats() - code.information
    bound = curve.rate[0] * BIT + beta * curve.distortion[0]
    assert code.rate + beta * lost == pytest.approx(bound, abs=1e-5)


@pytest.mark.parametrize("error", [0.05, 0.2])
def test_binary_symmetric_channel(error):
    """Its curve is I(X̂;Y) = 1 - H(error * H⁻¹(1 - R)), by Mrs. Gerber's lemma (Wyner & Ziv 1973)."""
    table = np.array([[1 - error, error], [error, 1 - error]])
    objects = as_objects(table)
    first = first_split(objects)
    assert first == pytest.approx(1 / (1 - 2 * error) ** 2)
    betas = first * np.array([0.95, 1.2, 2.0, 5.0])
    hard = identity_code(objects)._replace(rate=BIT, information=objects.shared_nats())
    codes = information_curve(objects, hard, betas, "both", 0, tol=1e-13, max_iter=50_000)
    assert codes[0].rate == pytest.approx(0, abs=1e-5) and codes[1].rate > 0.1
    for code in codes[1:]:
        a = brentq(lambda x, rest=1 - code.rate / BIT: entropy_of(x) - rest, 1e-12, 0.5)
        through = a * (1 - error) + (1 - a) * error
        assert code.information / BIT == pytest.approx(1 - entropy_of(through), abs=1e-5)


@pytest.mark.parametrize("path", ["down", "up", "both"])
def test_curve_is_concave_and_bounded(path):
    objects = as_objects(COUNTS)
    betas = first_split(objects) * np.geomspace(0.9, 60, 20)
    hard = identity_code(objects)._replace(rate=-objects.mass @ np.log(objects.mass), information=objects.shared_nats())
    codes = information_curve(objects, hard, betas, path, 0, tol=1e-9, max_iter=5000)
    rate, information = (np.array([getattr(code, name) for code in codes]) for name in ("rate", "information"))
    assert (information <= objects.shared_nats() + 1e-12).all() and (information <= rate + 1e-12).all()
    assert information[-1] == pytest.approx(objects.shared_nats(), rel=1e-3)
    # each point lies under the line of slope 1/beta through every other: the curve is concave
    under = (rate[None] - rate[:, None]) - betas[:, None] * (information[None] - information[:, None])
    assert under.min() >= -1e-8


def test_both_ways_find_the_same_easy_clusters():
    table = np.kron(np.eye(3), np.ones((4, 4))) + 0.05
    objects = as_objects(table * rng.uniform(0.9, 1.1, table.shape))
    betas = first_split(objects) * np.geomspace(0.9, 4, 12)
    down = curve_downwards(objects, identity_code(objects), betas, tol=1e-10, max_iter=5000)
    up = curve_upwards(objects, 12, betas, 0, tol=1e-10, max_iter=5000)
    for a, b, beta in zip(down, up, betas):
        assert a.lagrangian(beta) == pytest.approx(b.lagrangian(beta), abs=2e-3)


@pytest.mark.parametrize("shape", [(90, 70), (20, 200)])
def test_first_split_is_the_second_singular_value(shape):
    counts = rng.poisson(1.0, shape) * (rng.random(shape) < 0.3) + 1.0 * (rng.random(shape) < 0.1)
    counts[:, 0] = 1
    p = counts / counts.sum()
    outer = np.sqrt(np.outer(p.sum(axis=1), p.sum(axis=0)))
    second = np.linalg.svd(np.divide(p, outer, where=outer > 0, out=np.zeros_like(p)))[1][1]
    for kind in (np.asarray, csr_array):
        assert first_split(as_objects(kind(counts))) == pytest.approx(1 / second**2, rel=1e-4)


def test_first_split_of_independent_variables_never_comes():
    assert first_split(as_objects(np.outer([1.0, 2.0, 3.0], [1.0, 5.0]))) == np.inf


def test_a_cluster_that_loses_everything_keeps_its_law():
    objects = as_objects(COUNTS)
    code = Code(np.array([0.5, 0.5]), rng.dirichlet(np.ones(5), 2))
    q = np.zeros((len(objects.mass), 2))
    q[:, 0] = 1
    after = decode(objects, q, code)
    np.testing.assert_array_equal(after.distributions[1], code.distributions[1])
    assert after.mass[1] == 0 and np.isfinite(encode(objects.rows, after, 5.0)[0]).all()
