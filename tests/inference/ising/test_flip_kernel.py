"""Random thresholds against the rules they stand for, running fields against fields computed anew."""

import numpy as np
import pytest
import scipy.sparse as sp

import unmix
from unmix.core.random import spawn
from unmix.costs.ising import IsingData
from unmix.inference.ising.annealing import anneal_ising, beta_range, pack, random_spins
from unmix.inference.ising.flip_kernel import follow_spins, local_fields, sweep
from unmix.inference.ising.noise import HEAT_BATH, LAZY_METROPOLIS, METROPOLIS, begin_noise, draw_bits, draw_thresholds


def couplings(rng, n):
    J = np.triu(rng.normal(size=(n, n)), 1)
    return J + J.T


def thresholds(rule, n, seed=0):
    noise = begin_noise(spawn(seed), n)
    draw_thresholds(rule, 1.0, noise)
    return noise.thresholds, (noise.bits + 0.5) / 2**31


def test_generator_is_xoshiro128plus():
    state = [1, 2, 3, 4]
    streams = np.repeat(np.array(state, np.uint32)[:, None], 16, axis=1)
    bits = np.empty(16 * 50, np.int32)
    draw_bits(*streams, bits)
    mask = 0xFFFFFFFF
    for word in bits[::16]:
        a, b, c, d = state
        assert word == ((a + d) & mask) >> 1
        shifted = (b << 9) & mask
        c, d = c ^ a, d ^ b
        b, a = b ^ c, a ^ d
        c ^= shifted
        state = [a, b, c, ((d << 11) & mask) | (d >> 21)]


def test_thresholds_are_the_logarithms_they_should_be():
    out, u = thresholds(METROPOLIS, 4096)
    np.testing.assert_allclose(out, -np.log(u), atol=1e-6)
    out, u = thresholds(HEAT_BATH, 4096)
    np.testing.assert_allclose(out, np.log1p(-u) - np.log(u), atol=2e-6)


@pytest.mark.parametrize("rule", [METROPOLIS, HEAT_BATH, LAZY_METROPOLIS])
def test_flips_pass_with_the_probability_of_the_rule(rule):
    out, _ = thresholds(rule, 2**15, seed=3)
    for D in (-1.0, 0.3, 2.0):
        expected = {
            METROPOLIS: min(1, np.exp(-D)),
            HEAT_BATH: 1 / (1 + np.exp(D)),
            LAZY_METROPOLIS: min(1, np.exp(-D)) / 2,
        }[rule]
        assert np.mean(out > D) == pytest.approx(expected, abs=4 * 0.5 / 2**7.5)


@pytest.mark.parametrize("dense", [True, False])
def test_running_fields_are_the_fields(dense):
    rng = np.random.default_rng(0)
    J = couplings(rng, 70) * (1.0 if dense else rng.random((70, 70)) < 0.02)
    J = np.maximum(J, J.T)
    np.fill_diagonal(J, 0)
    data = IsingData(sp.csr_array(J), rng.normal(size=70))
    model, scale = pack(data)
    assert (model.rows.size > 0) == dense
    spins = random_spins(rng, 70, 96)
    fields, again = np.empty(96, np.float32), np.empty(96, np.float32)
    local_fields(model, spins, fields)
    np.testing.assert_allclose(fields[:70] * scale, J @ spins[:70] + data.h, rtol=1e-5, atol=1e-5)
    energy = lambda s: -0.5 * s @ J @ s - data.h @ s  # noqa: E731
    before, change, flips = energy(spins[:70].astype(float)), 0.0, 0
    for seed in range(20):
        start = spins.copy()
        out, _ = thresholds(METROPOLIS, 96, seed)
        change += sweep(model, spins, fields, out) * scale
        flips += (spins != start).sum()
    local_fields(model, spins, again)
    assert flips > 100
    np.testing.assert_allclose(fields[:70], again[:70], atol=1e-4)
    assert change == pytest.approx(energy(spins[:70].astype(float)) - before, abs=1e-3)
    assert (spins[70:] == 1).all()


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("rule", [METROPOLIS, HEAT_BATH, LAZY_METROPOLIS])
@pytest.mark.parametrize("dense", [True, False])
def test_long_runs_visit_states_as_often_as_enumeration_says(rule, dense):
    rng = np.random.default_rng(5)
    n, beta, draws = 6, 0.7, 400_000
    J, h = couplings(rng, n), rng.normal(size=n)
    if not dense:
        J *= np.abs(np.subtract.outer(np.arange(n), np.arange(n))) == 1
    data = IsingData(J, h)
    model, scale = pack(IsingData(np.zeros((n, n)), h))
    packed, scale = pack(data)
    if not dense:
        graph = sp.csr_array(J)
        indptr = np.concatenate([graph.indptr, np.full(32 - n, graph.nnz)]).astype(np.int64)
        packed = packed._replace(
            rows=model.rows,
            indptr=indptr,
            indices=graph.indices.astype(np.int32),
            data=(graph.data / scale).astype(np.float32),
        )
    out = np.empty((draws, n), np.int8)
    follow_spins(
        packed, beta * scale, rule, 1, begin_noise(rng, 32), random_spins(rng, n, 32), np.empty(32, np.float32), out
    )
    seen = np.bincount((out > 0) @ (1 << np.arange(n)), minlength=2**n) / draws
    states = 2.0 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1
    weights = np.exp(-beta * (-0.5 * np.einsum("mi,ij,mj->m", states, J, states) - states @ h))
    assert 0.5 * np.abs(seen - weights / weights.sum()).sum() < 0.02


@pytest.mark.slow_without_jit
def test_results_do_not_depend_on_the_number_of_threads():
    J = couplings(np.random.default_rng(1), 40)
    data = IsingData(J, np.zeros(40))
    betas = np.linspace(*beta_range(data), 20)
    found = []
    for threads in (1, 2):
        with unmix.execution(threads=threads):
            found.append(anneal_ising(data, betas, runs=6, rule=METROPOLIS, seed=3))
    np.testing.assert_array_equal(found[0].spins, found[1].spins)
    np.testing.assert_array_equal(found[0].energy, found[1].energy)
    assert (np.diff(found[0].energy) >= 0).all()
    np.testing.assert_allclose(found[0].energy, [-0.5 * s @ J @ s for s in found[0].spins.astype(float)])


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e150])
def test_models_of_any_size_end_in_a_minimum(scale):
    J = couplings(np.random.default_rng(2), 50) * scale
    data = IsingData(J, np.zeros(50))
    first, last = beta_range(data)
    for betas in (np.linspace(first, last, 100), np.full(3, first)):  # also where it ends while still hot
        runs = anneal_ising(data, betas, runs=3, rule=METROPOLIS, seed=0)
        for spins in runs.spins.astype(float):
            assert (spins * (J @ spins) >= -1e-5 * scale).all()
