"""The sum is one fixed tree: any split into aligned subtrees gives the same bits."""

from typing import NamedTuple

import numpy as np
import pytest

from unmix.core.summation.tree import FAN_IN, TreeSum, merge


class Stats(NamedTuple):
    n: int
    total: np.ndarray
    inner: tuple | None


class Longest(NamedTuple):
    word: str

    def merge(self, other):
        return max(self, other, key=lambda s: len(s.word))


def tree_sum(nodes):
    tree = TreeSum()
    for node in nodes:
        tree.push(node)
    return tree.total()


def by_definition(nodes):
    """Groups of eight, left to right, level by level, written without streaming."""
    while len(nodes) > 1:
        groups = [nodes[i : i + FAN_IN] for i in range(0, len(nodes), FAN_IN)]
        nodes = [sum(group[1:], group[0]) for group in groups]
    return nodes[0]


@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 63, 64, 65, 100, 513])
def test_tree_is_groups_of_eight(n):
    values = list(np.random.default_rng(n).normal(size=n) * 10.0 ** np.random.default_rng(n).integers(-8, 8, n))
    assert tree_sum(values) == by_definition(values)


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("n", [5, 64, 77, 200])
def test_subtrees_change_no_bits(n, level):
    values = list(np.random.default_rng(0).normal(size=n) * 10.0 ** np.random.default_rng(1).integers(-8, 8, n))
    size = FAN_IN**level
    nodes = [tree_sum(values[i : i + size]) for i in range(0, n, size)]
    assert tree_sum(nodes) == tree_sum(values)


def test_merge_adds_fields_and_keeps_own_rules():
    a = Stats(1, np.ones(2), (np.zeros(1), None))
    b = Stats(2, np.full(2, 3.0), (np.ones(1), None))
    total = merge(a, b)
    assert total.n == 3 and total.total.tolist() == [4, 4] and total.inner[0].tolist() == [1] and total.inner[1] is None
    assert merge(Longest("ab"), Longest("abc")).word == "abc"


def test_empty_sum_is_refused():
    with pytest.raises(ValueError, match="no leaves"):
        TreeSum().total()
