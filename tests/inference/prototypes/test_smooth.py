"""Smooth K-means: the optimum by enumeration, and the same cost from every inference."""

from itertools import product

import numpy as np
import pytest

from unmix.cluster import SmoothKMeans


def rows_on_a_grid(n, seed):
    """Overlapping groups, laid on a grid without any order."""
    rng = np.random.default_rng(seed)
    centres = 2.0 * rng.normal(size=(int(rng.integers(2, 9)), 3))
    return centres[rng.integers(0, len(centres), n)] + rng.normal(size=(n, 3))


def price(X, labels, coupling, width):
    """The objective, term by term."""
    grid = labels.reshape(-1, width)
    cut = (grid[1:] != grid[:-1]).sum() + (grid[:, 1:] != grid[:, :-1]).sum()
    return coupling * cut + sum(((X[labels == c] - X[labels == c].mean(axis=0)) ** 2).sum() for c in set(labels))


@pytest.mark.parametrize("k, n", [(2, 10), (3, 8)])
@pytest.mark.parametrize("seed", range(3))
def test_optima_by_enumeration(k, n, seed):
    X = rows_on_a_grid(n, seed)
    model = SmoothKMeans(k, neighbors=(2, n // 2), random_state=0).fit(X)
    every = (np.array((0, *rest)) for rest in product(range(k), repeat=n - 1))
    assert model.cost_ == pytest.approx(price(X, model.labels_, model.coupling_, n // 2))
    assert model.cost_ == pytest.approx(min(price(X, labels, model.coupling_, n // 2) for labels in every))


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("seed", range(4))
def test_every_inference_ends_at_the_same_cost(seed):
    """Without the last search these are up to 8 % apart."""
    X = rows_on_a_grid(60, seed)
    costs = [
        SmoothKMeans(4, neighbors=(6, 10), inference=inference, random_state=0).fit(X).cost_
        for inference in ("sequential_mean_field", "mean_field", "gibbs", "metropolis")
    ]
    assert costs[0] == pytest.approx(min(costs), rel=1e-3)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("seed", [11, 14, 18])
def test_few_objects_are_searched_as_far_as_by_slow_cooling(seed):
    """Overlapping groups without order on a grid: the usual search stayed up to 0.9 % above."""
    rng = np.random.default_rng(seed)
    d, groups = int(rng.integers(2, 6)), int(rng.integers(2, 9))
    centers = 2.0 * rng.normal(size=(groups, d))
    X = centers[rng.integers(0, groups, 210)] + rng.normal(size=(210, d))
    usual = SmoothKMeans(4, neighbors=(21, 10), random_state=0).fit(X)
    slow = SmoothKMeans(4, neighbors=(21, 10), inference="simulated_annealing", random_state=0).fit(X)
    assert usual.cost_ <= 1.001 * slow.cost_
