"""Ising models against enumeration, transfer matrices and exact cuts; published cuts; pictures restored."""

import csv

import numpy as np
import pytest
import scipy.sparse as sp

from tests.stored import stored
from unmix.cluster import IsingModel, denoise_binary_image, max_cut, maximum_cut
from unmix.cluster.ising import grid_couplings
from unmix.inference.ising.annealing import Runs


def couplings(rng, n):
    J = np.triu(rng.normal(size=(n, n)), 1)
    return J + J.T


def states(n):
    return 2 * (np.arange(2**n)[:, None] >> np.arange(n) & 1) - 1


def test_exact_sums_are_sums_over_all_states():
    rng = np.random.default_rng(0)
    for n in (1, 2, 7):
        model, beta = IsingModel(couplings(rng, n), rng.normal(size=n)), 0.8
        weights = np.exp(-beta * model.energy(states(n)))
        assert model.log_partition(beta) == pytest.approx(np.log(weights.sum()), rel=1e-12)
        np.testing.assert_allclose(model.magnetization(beta), weights @ states(n) / weights.sum(), atol=1e-12)
        assert model.ground_state(inference="enumeration").energy == pytest.approx(model.energy(states(n)).min())


@pytest.mark.parametrize("beta", [0.2, 1.0])
def test_partition_function_of_grids_by_transfer_matrices(beta):
    # A ring of n: Z = tr T^n with T = exp(±beta).
    ring = IsingModel(grid_couplings((12,), periodic=True))
    assert ring.log_partition(beta) == pytest.approx(
        np.log((2 * np.cosh(beta)) ** 12 + (2 * np.sinh(beta)) ** 12), rel=1e-12
    )
    # A torus of 4 × 5: columns of four spins one after the other.
    column = states(4)
    inside = np.exp(beta * np.sum(column * np.roll(column, 1, axis=1), axis=1))
    transfer = inside[:, None] * np.exp(beta * column @ column.T)
    exact = np.log(np.trace(np.linalg.matrix_power(transfer, 5)))
    assert IsingModel(grid_couplings((4, 5), periodic=True)).log_partition(beta) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("beta", [0.3, 1.0, 3.0])
def test_mean_field_is_stationary_and_bounds_the_free_energy(beta):
    rng = np.random.default_rng(1)
    for n in (1, 5, 10):
        model = IsingModel(couplings(rng, n), rng.normal(size=n))
        found = model.mean_field(beta, random_state=0)
        assert found.free_energy >= -model.log_partition(beta) / beta - 1e-10
        if found.converged:
            field = model.J @ found.magnetization + model.h
            np.testing.assert_allclose(found.magnetization, np.tanh(beta * field), atol=1e-6)
    free = IsingModel(np.zeros((3, 3)), [0.5, -1.0, 0.0])
    assert free.mean_field(beta).free_energy == pytest.approx(-free.log_partition(beta) / beta, rel=1e-12)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("size", [0.05, 1.0, 50.0])
@pytest.mark.parametrize("rule", ["metropolis", "heat_bath"])
def test_samples_have_the_exact_means(rule, size):
    rng = np.random.default_rng(2)
    model = IsingModel(size * couplings(rng, 8) / 2, size * rng.normal(size=8) / 2)
    drawn = model.sample(40_000, beta=0.8 / size, rule=rule, thin=3, random_state=0)
    assert drawn.dtype == np.int8 and set(np.unique(drawn)) == {-1, 1}
    np.testing.assert_allclose(drawn.mean(axis=0), model.magnetization(0.8 / size), atol=0.03)
    free = IsingModel(np.zeros((2, 2))).sample(4000, rule=rule, random_state=0)
    assert abs(np.mean(free[:, 0] * free[:, 1])) < 0.1  # free spins do not follow each other


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("schedule", ["linear", "geometric", "logarithmic"])
@pytest.mark.parametrize("rule", ["metropolis", "heat_bath"])
def test_annealing_finds_the_ground_state_of_small_models(schedule, rule):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        model = IsingModel(couplings(rng, 12), rng.normal(size=12))
        exact = model.ground_state(inference="enumeration")
        found = model.ground_state(n_init=10, n_sweeps=60, schedule=schedule, rule=rule, random_state=seed)
        assert found.energy == pytest.approx(exact.energy, abs=1e-10)
        np.testing.assert_array_equal(found.spins, exact.spins)


def test_graph_cut_is_exact_for_positive_couplings():
    for seed in range(5):
        rng = np.random.default_rng(seed)
        model = IsingModel(np.abs(couplings(rng, 10)) / 5, rng.normal(size=10))
        exact = model.ground_state(inference="enumeration").energy
        assert model.ground_state(inference="graph_cut").energy == pytest.approx(exact, abs=1e-4)
        assert model.ground_state(inference="mean_field", random_state=0).energy >= exact - 1e-10


@pytest.mark.slow_without_jit
def test_cuts_of_known_graphs():
    complete = np.ones((21, 21))
    assert max_cut(complete, n_init=4, n_sweeps=20, generations=0, random_state=0).cut_ == 110  # 10 · 11
    grid = max_cut(grid_couplings((5, 6)), n_init=8, n_sweeps=60, generations=2, random_state=0)
    assert grid.cut_ == 49  # bipartite: every edge
    i, j = np.divmod(np.arange(30), 6)
    np.testing.assert_array_equal(grid.labels_, (i + j) % 2)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.coo_matrix])
def test_cut_is_the_weight_between_the_sides(form):
    W = couplings(np.random.default_rng(3), 14)
    result = max_cut(form(W), random_state=0)
    c = states(14) > 0
    everything = [W[np.ix_(row, ~row)].sum() for row in c[: 2**13]]
    assert result.cut_ == pytest.approx(max(everything), rel=1e-12)
    assert result.cut_ == pytest.approx(W[np.ix_(result.labels_ == 1, result.labels_ == 0)].sum(), rel=1e-12)
    assert result.labels_[0] == 0 and result.labels_.dtype == np.int32


@pytest.mark.slow_without_jit
def test_odd_graphs():
    assert max_cut([[5.0]]).cut_ == 0
    assert max_cut([[0, 2.0], [2.0, 0]]).labels_.tolist() == [0, 1]
    nothing = max_cut(np.zeros((20, 20)), n_init=2, n_sweeps=5, random_state=0)
    assert nothing.cut_ == 0
    negative = max_cut(-np.ones((20, 20)), n_init=2, n_sweeps=20, random_state=0)
    assert negative.cut_ == 0 and not negative.labels_.any()
    edge = np.zeros((20, 20))
    edge[3, 7] = edge[7, 3] = 2.5  # all others isolated
    assert max_cut(edge, n_init=4, n_sweeps=20, random_state=0).cut_ == 2.5
    two = sp.block_diag([grid_couplings((3, 4)), grid_couplings((3, 4))])
    assert max_cut(two, n_init=8, n_sweeps=60, generations=2, random_state=0).cut_ == 34
    assert max_cut(edge + np.eye(20), n_init=4, n_sweeps=20, time_limit=0, random_state=0).cut_ == 2.5


def test_no_cut_at_all_is_the_least_one_gets(monkeypatch):
    spins = np.resize([1, -1], 20)
    bad = Runs(spins[None], np.zeros(1))
    monkeypatch.setattr(maximum_cut, "ground_state", lambda data, search, seed: bad)
    assert max_cut(-np.ones((20, 20))).cut_ == 0
    assert max_cut(np.ones((20, 20))).cut_ == 100


@pytest.mark.slow_without_jit
def test_the_same_seed_gives_the_same_cut():
    W = couplings(np.random.default_rng(4), 30)
    first, second = (max_cut(W, n_init=4, n_sweeps=10, generations=1, random_state=7) for _ in range(2))
    np.testing.assert_array_equal(first.labels_, second.labels_)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: max_cut([[0, 1], [2, 0]]), "W is not symmetric"),
        (lambda: max_cut([[0, np.nan], [np.nan, 0]]), "W holds NaN"),
        (lambda: max_cut(np.ones((2, 3))), "square matrix"),
        (lambda: max_cut(np.ones((0, 0))), "square matrix"),
        (lambda: max_cut(np.eye(30), n_init=0), "n_init=0"),
        (lambda: max_cut(np.eye(30), time_limit=-1), "time_limit=-1"),
        (lambda: IsingModel(np.eye(3)), "diagonal"),
        (lambda: IsingModel(np.zeros((3, 3)), [1, 2]), "give 3 finite numbers"),
        (lambda: IsingModel(np.zeros((3, 3))).energy([1, 0, 1]), "spins are -1 or"),
        (lambda: IsingModel(np.zeros((25, 25))).log_partition(), "at most 20 spins"),
        (lambda: IsingModel(np.zeros((3, 3))).sample(beta=-1.0), "beta=-1.0"),
        (lambda: IsingModel(np.zeros((3, 3))).sample(rule="other"), "rule='other'"),
        (lambda: IsingModel(np.zeros((3, 3))).ground_state(inference="magic"), "inference='magic' is not known"),
        (lambda: IsingModel(-np.ones((2, 2)) + np.eye(2)).ground_state(inference="graph_cut"), "some are negative"),
        (lambda: IsingModel(np.zeros((3, 3))).ground_state(schedule="fast"), "schedule='fast'"),
        (lambda: denoise_binary_image([[0, 1], [2, 3]]), "4 different values"),
        (lambda: denoise_binary_image([[0, 1]], coupling=-1), "coupling=-1"),
        (lambda: denoise_binary_image([[0, 1]], inference="enumeration"), "inference='enumeration' is not known"),
    ],
)
def test_wrong_input_is_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def disc(rng, share):
    y, x = np.mgrid[:48, :48]
    image = (x - 24) ** 2 + (y - 20) ** 2 < 200
    return image, image ^ (rng.random(image.shape) < share)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("inference", ["simulated_annealing", "mean_field", "graph_cut"])
def test_a_noisy_disc_is_restored(inference):
    image, noisy = disc(np.random.default_rng(0), 0.15)
    restored = denoise_binary_image(noisy, inference=inference, random_state=0)
    assert restored.dtype == bool
    assert np.mean(noisy != image) > 0.12 and np.mean(restored != image) < 0.03


@pytest.mark.slow_without_jit
def test_annealed_restoration_has_nearly_the_exact_least_energy():
    _, noisy = disc(np.random.default_rng(1), 0.2)
    model = IsingModel(grid_couplings(noisy.shape), 0.9 * np.where(noisy, 1.0, -1.0).ravel())
    energy = {
        method: model.energy(
            np.where(denoise_binary_image(noisy, field=0.9, inference=method, random_state=0), 1, -1).ravel()
        )
        for method in ("simulated_annealing", "graph_cut")
    }
    assert energy["graph_cut"] <= energy["simulated_annealing"] + 1e-9 <= energy["graph_cut"] * 0.998


def test_values_types_and_gaps_of_images():
    image = np.zeros((9, 9), np.uint8)
    image[2:7, 2:7] = 255
    noisy = image.copy()
    noisy[4, 4] = 0
    restored = denoise_binary_image(noisy, inference="graph_cut")
    assert restored.dtype == np.uint8
    np.testing.assert_array_equal(restored, image)
    gaps = np.where(image > 0, 1.0, -1.0)
    gaps[4, 4] = gaps[0, 0] = np.nan
    np.testing.assert_array_equal(denoise_binary_image(gaps, inference="graph_cut"), np.where(image > 0, 1.0, -1.0))
    assert (denoise_binary_image(np.ones((3, 3, 2))) == 1).all()
    np.testing.assert_array_equal(denoise_binary_image(noisy, coupling=0.0, inference="graph_cut"), noisy)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name", ["ising3.0-100_6666", "t3g7_6666", "w05_100.7", "pm1d_80.5", "G11"])
def test_best_known_cuts_are_reached(shared_data, name):
    with open(shared_data / "ising" / "best_known.csv") as file:
        best = {row["instance"]: int(row["best_known_cut"]) for row in csv.DictReader(file)}[name]
    graphs = stored(shared_data / "ising" / "maxcut.npz")
    (i, j), n = graphs[f"{name}__ij"].T, int(graphs[f"{name}__n"])
    half = sp.coo_array((graphs[f"{name}__w"].astype(float), (i, j)), shape=(n, n)).tocsr()
    assert max_cut(half + half.T, random_state=0).cut_ == best
