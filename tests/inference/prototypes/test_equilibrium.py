"""Equilibrium at one temperature against plain EM, and a pass against its definition."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.costs.distributions.relative_entropy import carry_entropies
from unmix.costs.histogram import Histogram
from unmix.costs.mass_constrained import Clusters, MassConstrained
from unmix.costs.squared_distance import SquaredDistance
from unmix.inference.expectation import expect
from unmix.inference.prototypes import equilibrium
from unmix.inference.prototypes.soft_means import expect_counts, expect_means
from unmix.io.dispatch import as_blocks

COST = SquaredDistance()


class Plain(SquaredDistance):
    any_point = False


def table(d, n=300, dtype=np.float64):
    rng = np.random.default_rng(d)
    return (rng.normal(size=(n, d)) + 3 * rng.integers(0, 2, size=(n, 1))).astype(dtype)


def clusters(X, k):
    return Clusters(X[:k].astype(np.float64), np.random.default_rng(0).dirichlet(np.ones(k)))


def settle(cost, X, start, T, most):
    return equilibrium.em_to_equilibrium(as_blocks(X), cost, start, T, None, 1e-13 * T, most)


def test_extrapolated_steps_end_where_plain_ones_do_and_sooner():
    X = table(3)
    first = 2 * np.linalg.eigvalsh(np.cov(X.T, bias=True))[-1]
    T, mean = 0.97 * first, X.mean(axis=0)
    start = Clusters(np.stack([mean - 0.1, mean + 0.1]), np.full(2, 0.5))  # parts slowly: T is next to the transition
    fast, slow = settle(COST, X, start, T, 5000), settle(Plain(), X, start, T, 5000)
    assert fast.done and slow.done and fast.iteration < slow.iteration / 3
    np.testing.assert_allclose(fast.free_energy, slow.free_energy, rtol=1e-9)
    np.testing.assert_allclose(fast.clusters.prototypes, slow.clusters.prototypes, atol=1e-3)
    again = settle(Plain(), X, fast.clusters, T, 1)  # a fixed point of both steps
    np.testing.assert_allclose(again.clusters.prototypes, fast.clusters.prototypes, atol=1e-5)


@pytest.mark.parametrize("T", [0.02, 0.3, 2.0])
def test_the_free_energy_never_rises_and_is_that_of_the_definition(T):
    X, start = table(2), clusters(table(2), 6)
    state, seen = equilibrium.begin(start), []
    for _ in range(40):
        at = state.clusters
        state = equilibrium.approach(as_blocks(X), COST, state, T, -np.inf, None)
        h = ((X[:, None] - at.prototypes) ** 2).sum(axis=2)
        plain = -T * np.log((at.masses * np.exp(-(h - h.min(axis=1, keepdims=True)) / T)).sum(axis=1))
        here = float((plain + h.min(axis=1)).mean())
        if state.kind != equilibrium.ALONE:  # not one that was refused
            np.testing.assert_allclose(state.free_energy, here, rtol=1e-9)
        else:
            assert here > state.free_energy
        seen.append(state.free_energy)
    assert (np.diff(seen) <= 1e-12).all()


def test_clusters_nobody_has_tried_are_no_result():
    X = table(2)
    state = equilibrium.begin(clusters(X, 4))
    for _ in range(2):
        state = equilibrium.approach(as_blocks(X), COST, state, 1.0, 0.0, None)
    assert state.kind == equilibrium.EXTRAPOLATED
    np.testing.assert_array_equal(equilibrium.end(state).clusters.prototypes, state.other.prototypes)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("dtype, rtol", [(np.float64, 1e-11), (np.float32, 3e-4)])
@pytest.mark.parametrize("d", [1, 4, 7])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_fused_pass_is_that_of_the_definition(d, dtype, rtol, weighted):
    X, T = table(d, 301, dtype), 0.7
    held = clusters(X, 5)
    weights = np.random.default_rng(1).integers(0, 3, size=len(X)).astype(float) if weighted else None
    fused = as_blocks(X).reduce(expect_means, held, T, rows=weights)
    plain = as_blocks(X.astype(np.float64)).reduce(expect, MassConstrained(COST, T), held, 1 / T, rows=weights)
    for one, other in zip(fused, plain, strict=True):
        if isinstance(one, float):
            np.testing.assert_allclose(one, other, rtol=rtol)
    np.testing.assert_allclose(fused.stats.mass, plain.stats.mass, rtol=rtol)
    np.testing.assert_allclose(fused.stats.inner.sums, plain.stats.inner.sums, rtol=rtol, atol=rtol * len(X))


def test_a_cluster_without_mass_gets_no_row():
    X = table(2)
    held = clusters(X, 3)._replace(masses=np.array([0.5, 0.0, 0.5]))
    total = as_blocks(X).reduce(expect_means, held, 0.5)
    assert total.stats.mass[1] == 0 and np.isfinite(total.stats.inner.sums).all()


class PlainHistogram(Histogram):
    any_point = False


def histograms(m, n=200):
    """Counts of two kinds of rows, their cost, and three clusters."""
    rng = np.random.default_rng(m)
    X = rng.poisson(8 * rng.dirichlet(np.ones(m), size=2)[rng.integers(2, size=n)]) + np.eye(1, m)
    start = Clusters(rng.dirichlet(np.ones(m), size=3), np.array([0.5, 0.3, 0.2]))
    return X, (X.sum(axis=0) / X.sum(), 0.7, X.sum() / n), start


@pytest.mark.parametrize("m", [1, 3, 4, 11])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("one_pass", [expect_counts, equilibrium.expect_few_counts])
def test_a_fused_pass_over_counts_is_that_of_the_definition(m, weighted, one_pass):
    X, parameters, held = histograms(m)
    weights = np.random.default_rng(0).integers(0, 3, size=len(X)).astype(float) if weighted else None
    T, rows = 0.4, as_blocks(carry_entropies(X))
    cost = Histogram(*parameters)
    fused = rows.reduce(one_pass, cost.carrying(), held, T, rows=weights)
    plain = as_blocks(X).reduce(expect, MassConstrained(cost, T), held, 1 / T, rows=weights)
    for one, other in zip(fused[1:], plain[1:], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)  # with one column all costs are rounding
    np.testing.assert_allclose(fused.stats.mass, plain.stats.mass, rtol=1e-10)
    np.testing.assert_allclose(fused.stats.inner.counts, plain.stats.inner.counts, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(fused.stats.inner.mass, plain.stats.inner.mass, rtol=1e-10)


def test_extrapolated_distributions_end_where_plain_ones_do_and_sooner():
    X, (background, _, unit), _ = histograms(5)
    parameters = (background, 1e-12, unit)  # smoothed, a prototype is not quite the best
    fast, slow = Histogram(*parameters), PlainHistogram(*parameters)
    T = 0.9 * fast.critical_temperature(X)
    near = fast.perturbed(np.tile(parameters[0], (2, 1)), np.outer([1.0, -1.0], np.arange(5.0)), np.full(2, 1e-3))
    start = Clusters(near, np.full(2, 0.5))
    ends = [settle(cost, X, start, T, 5000) for cost in (fast, slow)]
    assert all(end.done for end in ends) and ends[0].iteration < ends[1].iteration / 2
    np.testing.assert_allclose(ends[0].free_energy, ends[1].free_energy, rtol=1e-9)
    np.testing.assert_allclose(ends[0].clusters.prototypes, ends[1].clusters.prototypes, atol=1e-4)


def test_flat_coordinates_of_distributions_measure_their_cost():
    U = np.random.default_rng(0).dirichlet(np.ones(6), size=4)
    cost = Histogram(U[0], 1.0, 1.0)
    np.testing.assert_allclose(cost.bend(cost.flatten(U)), U, rtol=1e-14)
    V = cost.bend(cost.flatten(U) * (1 + 1e-4 * np.random.default_rng(1).normal(size=U.shape)))
    apart = ((cost.flatten(U) - cost.flatten(V)) ** 2).sum(axis=1)
    np.testing.assert_allclose((U * np.log(U / V)).sum(axis=1), apart, rtol=1e-2)


@pytest.mark.parametrize("form", ["float64", "float32", "sparse"])
@pytest.mark.parametrize("temperature", [0.02, 3.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_pass_over_few_rows_is_that_of_the_definition(form, temperature, weighted):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3)).astype(np.float32 if form == "float32" else np.float64)
    weights = rng.integers(0, 3, 90).astype(float) if weighted else None
    given = Clusters(rng.normal(size=(4, 3)), np.array([0.2, 0.5, 0.0, 0.3]))  # one has no mass
    found = equilibrium.expect_few(csr_array(X) if form == "sparse" else X, weights, given, temperature)
    w, x = np.ones(90) if weights is None else weights, X.astype(np.longdouble)
    with np.errstate(divide="ignore"):
        h = ((x[:, None] - given.prototypes) ** 2).sum(axis=2) - temperature * np.log(given.masses)
    least = h.min(axis=1, keepdims=True)
    q = np.exp((least - h) / temperature)
    z = q.sum(axis=1, keepdims=True)
    q = w[:, None] * q / z
    np.testing.assert_allclose(found.stats.inner.sums, (q.T @ x).astype(float), rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(found.stats.mass, q.sum(axis=0).astype(float), rtol=1e-11)
    np.testing.assert_allclose(found.log_z, float(w @ (np.log(z) - least / temperature)[:, 0]), rtol=1e-11)
    np.testing.assert_allclose(found.cost, float((q * np.where(q > 0, h, 0)).sum()), rtol=1e-11)
    assert found.mass == w.sum()


@pytest.mark.parametrize("n", [60, 9000])  # in array operations, and compiled
def test_scatter_is_the_second_moment_around_the_prototypes(n):
    rng = np.random.default_rng(1)
    X, U, q = rng.normal(size=(n, 3)), rng.normal(size=(4, 3)), rng.random((n, 4))
    found = SquaredDistance().scatter(X, q, U)
    away = X[:, None] - U
    np.testing.assert_allclose(found.second, np.einsum("ic,ica,icb->cab", q, away, away), rtol=1e-10)
    np.testing.assert_allclose(found.mass, q.sum(axis=0))
