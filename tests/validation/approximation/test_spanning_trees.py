"""Counts of spanning trees against Cayley's formula and trees written down one by one."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree

from unmix.validation import (
    Graph,
    SpanningTrees,
    boruvka,
    contracting_information,
    kruskal,
    log_tree_count,
    prim,
    reverse_delete,
)

ALGORITHMS = [kruskal, prim, boruvka, reverse_delete]
RING = Graph(6, [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 0], [0, 3], [1, 4], [1, 4]])  # an edge twice
rng = np.random.default_rng(0)


def spans(graph, chosen):
    part = list(range(graph.n_nodes))
    for a, b in graph.edges[list(chosen)]:
        if part[a] == part[b]:
            return False
        part = [part[b] if p == part[a] else p for p in part]
    return True


def all_trees(graph):
    numbers = range(len(graph.edges))
    return [set(chosen) for chosen in combinations(numbers, graph.n_nodes - 1) if spans(graph, chosen)]


@pytest.mark.parametrize("n", [1, 2, 3, 7, 40, 200])
def test_cayley(n):
    expected = (n - 2) * np.log(n)
    assert log_tree_count(n, Graph.complete(n).edges) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("graph", [Graph.complete(5), RING])
def test_sets_equal_enumeration(graph):
    trees = all_trees(graph)
    m = len(graph.edges)
    assert np.exp(SpanningTrees.all(graph).log_size) == pytest.approx(len(trees))
    for _ in range(60):
        kind = rng.choice(4, m, p=[0.55, 0.2, 0.2, 0.05])
        accepted, rejected = (kind == 1) | (kind == 3), (kind == 2) | (kind == 3)
        some = SpanningTrees(graph, accepted, rejected)
        must, never = set(np.flatnonzero(accepted)), set(np.flatnonzero(rejected))
        kept = [tree for tree in trees if must <= tree and not never & tree]
        assert np.exp(some.log_size) == pytest.approx(len(kept))
        assert sum(some.contains(list(tree)) for tree in trees) == len(kept)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("graph", [Graph.complete(5), RING])
def test_information_equals_enumeration(algorithm, graph):
    trees = all_trees(graph)
    first, second = rng.random((2, len(graph.edges)))
    second = first + 0.3 * second
    found = contracting_information(partial(algorithm, graph), first, second)
    runs = [list(algorithm(graph, weights)) for weights in (first, second)]
    for step, curve in enumerate(found.curve):
        one, two = (run[min(step, len(run) - 1)] for run in runs)
        a, b = ({i for i, tree in enumerate(trees) if s.contains(list(tree))} for s in (one, two))
        with np.errstate(divide="ignore"):
            assert curve == pytest.approx(np.log2(len(trees) * len(a & b) / (len(a) * len(b))))
    assert found.bits == found.curve.max() >= 0
    assert found.curve[int(found.best_level)] == pytest.approx(found.bits)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_ends_at_the_minimum_spanning_tree_and_only_contracts(algorithm):
    graph = Graph.complete(12)
    for weights in (rng.random(66), rng.integers(1, 4, 66).astype(float)):  # the second with many ties
        sets = list(algorithm(graph, weights))
        sizes = [each.log_size for each in sets]
        assert sizes[0] == pytest.approx(10 * np.log(12)) and sizes[-1] == pytest.approx(0, abs=1e-9)
        assert (np.diff(sizes) <= 1e-9).all()
        last = sets[-1]
        chosen = last.accepted if last.accepted.any() else ~last.rejected
        matrix = np.zeros((12, 12))
        matrix[tuple(graph.edges.T)] = weights
        assert weights[chosen].sum() == pytest.approx(minimum_spanning_tree(matrix).sum())


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_more_noise_fewer_bits(algorithm):
    graph, bits = Graph.complete(10), []
    for noise in (0.0, 0.02, 0.1, 2.0):
        draws = np.random.default_rng(1)
        sums = 0.0
        for _ in range(10):
            weights = draws.random(45)
            first, second = weights + noise * draws.normal(size=(2, 45))
            sums += contracting_information(partial(algorithm, graph), first, second).bits
        bits.append(sums / 10)
    assert bits[0] == pytest.approx(8 * np.log2(10))
    assert bits[0] > bits[1] > bits[2] >= bits[3]


def test_an_algorithm_of_ones_own():
    class Interval:
        def __init__(self, low, high):
            self.low, self.high = low, high

        @property
        def log_size(self):
            return np.log(self.high - self.low) if self.high > self.low else -np.inf

        def intersection(self, other):
            return Interval(max(self.low, other.low), min(self.high, other.high))

    def bisection(x):
        low, high = 0, 16
        yield Interval(low, high)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if x >= middle else (low, middle)
            yield Interval(low, high)

    found = contracting_information(bisection, 5, 6)  # 0101 and 0110 agree in two digits
    assert found.curve == pytest.approx([0, 1, 2, -np.inf, -np.inf])
    assert found.bits == pytest.approx(2) and found.best_level == 2


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: Graph(4, [[0, 1], [2, 3]]), "2 parts"),
        (lambda: Graph(2, []), "2 parts"),
        (lambda: Graph(2, [[0, 2]]), "outside"),
        (lambda: Graph(2, [[0, 1], [1, 1]]), "loop"),
        (lambda: Graph(2, [[0.5, 1.0]]), "whole numbers"),
        (lambda: list(kruskal(RING, [1.0, 2.0])), "weights"),
        (lambda: list(prim(RING, np.ones(9), root=6)), "root"),
        (lambda: contracting_information(lambda x: [], 0, 1), "no set"),
        (lambda: contracting_information(lambda n: [SpanningTrees.all(Graph.complete(n))], 3, 4), "differ"),
    ],
)
def test_bad_input_is_named(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_one_node_has_one_tree():
    alone = Graph(1, [])
    for algorithm in ALGORITHMS:
        assert contracting_information(partial(algorithm, alone), [], []).bits == 0
