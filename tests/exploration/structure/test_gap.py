"""Whether rows part anywhere: ways from row to row against a plain computation; curved clouds and groups."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import unmix
from unmix.exploration.structure.gap import GAP, NO_GAP, deepest_gap, most_probable_by_gaps
from unmix.exploration.structure.partitions import Partitions
from unmix.exploration.structure.shapes.border import NEAR, near_ways, way_depths
from unmix.validation.selection.probability import UNCONFIRMED

pytestmark = pytest.mark.slow_without_jit


def ring(rng, n):
    angle = rng.uniform(0, 2 * np.pi, n)
    return np.c_[np.cos(angle), np.sin(angle)] + 0.1 * rng.normal(size=(n, 2))


def arc(rng, n):
    angle = rng.uniform(0, 1.3 * np.pi, n)
    return np.c_[np.cos(angle), np.sin(angle)] + 0.1 * rng.normal(size=(n, 2))


def gradient(rng, n):
    """Eight species, each at home at another height of a mountain."""
    height = rng.uniform(-1, 1, n)
    return np.exp(-(((height[:, None] - np.linspace(-1.2, 1.2, 8)) / 0.5) ** 2)) + 0.12 * rng.normal(size=(n, 8))


def helix(rng, n):
    angle = rng.uniform(0, 4 * np.pi, n)
    return np.c_[np.cos(angle), np.sin(angle), angle / 4] + 0.1 * rng.normal(size=(n, 3))


def told_of(X, labels):
    return Partitions(np.arange(len(X)), cdist(X, X), {2: labels}, {})


def test_ways_are_the_shortest_over_near_rows():
    """Floyd and Warshall's way, entry by entry."""
    X = arc(np.random.default_rng(0), 60)
    distances = cdist(X, X)
    ways = near_ways(distances).toarray()
    assert np.array_equal(ways, ways.T) and ((ways > 0).sum(axis=1) >= NEAR).all()
    assert np.array_equal(ways[ways > 0], distances[ways > 0])
    shortest = np.where(ways > 0, ways, np.inf)
    np.fill_diagonal(shortest, 0)
    for i in range(len(X)):
        shortest = np.minimum(shortest, shortest[:, [i]] + shortest[[i]])
    assert np.isfinite(shortest).all()
    labels = (X[:, 0] > 0).astype(int)
    own = np.where((labels[:, None] == labels) & ~np.eye(len(X), dtype=bool), distances, np.inf).min(axis=1)
    sides = []
    for side in (0, 1):
        t = np.sort(np.maximum(shortest[labels == side][:, labels != side].min(axis=1) - own[labels == side], 0))
        grid = np.r_[0.0, t[t > 0]]
        share = np.r_[0.0, np.arange(1, len(t) + 1)[t > 0] / len(t)]
        above = [max_line(grid, share, at) for at in t]
        sides.append(np.sqrt(len(t)) * (np.array(above) - np.arange(len(t)) / len(t)).max())
    assert way_depths(distances, near_ways(distances), labels)[0, 1] == pytest.approx(min(sides), abs=1e-9)


def max_line(x, y, at):
    """The least concave majorant by all chords."""
    left, right = np.flatnonzero(x <= at), np.flatnonzero(x >= at)
    best = y[x == at].max(initial=0.0)
    for i in left:
        for j in right[x[right] > x[i]]:
            best = max(best, y[i] + (y[j] - y[i]) * (at - x[i]) / (x[j] - x[i]))
    return best


@pytest.mark.parametrize("seed", range(3))
def test_halves_of_a_helix_do_not_part_and_two_helices_do(seed):
    X = helix(np.random.default_rng(seed), 400)
    middle = (X[:, 2] > np.pi / 2).astype(int)
    assert most_probable_by_gaps(told_of(X, middle)) < 0.8
    apart = X + np.array([0, 0, 2.0]) * middle[:, None]
    assert most_probable_by_gaps(told_of(apart, middle)) == 1.0


def test_the_bound_rises_between_the_two_depths(monkeypatch):
    import unmix.exploration.structure.gap as gap

    said = []
    for depth in (0.0, NO_GAP, (NO_GAP + GAP) / 2, GAP, 9.0):
        monkeypatch.setattr(gap, "deepest_gap", lambda partitions, depth=depth: depth)
        said.append(gap.most_probable_by_gaps(None))
    assert said == pytest.approx([UNCONFIRMED, UNCONFIRMED, (1 + UNCONFIRMED) / 2, 1.0, 1.0])


def test_one_partition_with_a_gap_is_enough():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 2)) + np.array([7, 0]) * (np.arange(200) % 2)[:, None]
    across, along = (X[:, 1] > 0).astype(int), (X[:, 0] > 3.5).astype(int)
    partitions = Partitions(np.arange(200), cdist(X, X), {2: across}, {2: along})
    assert deepest_gap(partitions) >= GAP


@pytest.mark.parametrize("make", [ring, arc, gradient, helix])
def test_one_curved_cloud_is_not_called_clusters(make):
    X = make(np.random.default_rng(4), 400)
    found = unmix.explore({f"c{j}": column for j, column in enumerate(X.T)}, max_k=6)
    assert found.selection.chosen_k == 1 and found.selection.probability <= UNCONFIRMED
    assert not any("Without" in said for said in found.warnings)


def test_the_words_say_that_the_cloud_is_curved():
    X = ring(np.random.default_rng(4), 400)
    found = unmix.explore({"east": X[:, 0], "north": X[:, 1]}, max_k=6)
    assert found.selection.verdict.startswith("Probably no clusters (55 %)")
    assert "from row to row there is no gap" in found.selection.verdict
    asked = unmix.explore({"east": X[:, 0], "north": X[:, 1]}, max_k=6, k=4)
    assert asked.selection.verdict.startswith("4 clusters, as asked. The table by itself: probably no clusters (55 %)")
