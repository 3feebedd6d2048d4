"""Rules of single moves against their formulas, and what a cost compiles for them."""

import math

import numpy as np
import pytest
from numba import config, njit

from unmix.costs.correlation import Correlation
from unmix.costs.least_angle import LeastAngle
from unmix.costs.links import make_links
from unmix.costs.moves import packed
from unmix.inference.local.local_moves import (
    CHEAPEST,
    DRAW,
    DRAWS,
    HEAT_BATH,
    JOIN,
    LEAVE,
    METROPOLIS,
    STAY,
    choose,
    sample,
    search,
    walk,
)

H = np.array([0.3, -0.2, 1.1, -0.2])


@njit
def call_choose(h, weights, own, rule, cluster, beta, chance):
    return choose(h, weights, own, rule, cluster, beta, chance)  # which kernels alone can call


def chosen(rule, own, cluster=-1, beta=np.inf, chance=0.5, h=H):
    return int(call_choose(h, np.empty(len(h)), own, rule, np.int64(cluster), beta, chance))


@pytest.mark.parametrize("own, cluster", [(0, 1), (0, 2), (1, 3), (2, 0)])
@pytest.mark.parametrize("beta", [0.7, 3.0])
def test_a_proposal_is_accepted_with_the_probability_of_its_rule(own, cluster, beta):
    odds = math.exp(-beta * (H[cluster] - H[own]))
    for rule, probability in ((METROPOLIS, min(1.0, odds)), (HEAT_BATH, odds / (1 + odds))):
        assert chosen(rule, own, cluster, beta, probability - 1e-9) == cluster
        if probability < 1:
            assert chosen(rule, own, cluster, beta, probability + 1e-9) == own


def test_a_label_is_drawn_from_the_gibbs_law():
    law = np.exp(-1.7 * H) / np.exp(-1.7 * H).sum()
    for c, (low, high) in enumerate(zip(np.cumsum(law) - law, np.cumsum(law), strict=True)):
        assert chosen(DRAW, 0, beta=1.7, chance=low + 1e-9) == chosen(DRAW, 0, beta=1.7, chance=high - 1e-9) == c


@pytest.mark.parametrize("rule", [METROPOLIS, HEAT_BATH, DRAW])
def test_at_zero_temperature_only_what_is_cheaper_is_taken(rule):
    assert chosen(rule, 0, 1) == 1
    assert chosen(rule, 1, 3) == 1  # among equals an object stays
    assert chosen(rule, 3, 2) == 3


def test_an_absurd_rise_is_refused_without_overflow():
    for rule in (METROPOLIS, HEAT_BATH):
        assert chosen(rule, 1, 0, 1.0, 0.0, np.array([1e6, 0.0])) == 1
        assert chosen(rule, 0, 1, 1.0, 0.5, np.array([1e6, 0.0])) == 1


def test_the_search_moves_what_it_is_told_to():
    assert chosen(CHEAPEST, 0) == 1 and chosen(CHEAPEST, 3) == 3
    assert chosen(LEAVE, 1) == 3 and chosen(LEAVE, 0) == 1
    assert chosen(JOIN, 1, 2) == 2 and chosen(STAY, 2) == 2


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")
def test_all_walks_of_a_cost_compile_each_function_once():
    """A plain integer given to a function, or a variable that begins as one, would have it compiled twice."""
    X, k = np.random.default_rng(0).normal(size=(30, 2)), 3
    labels = np.arange(30) % k
    state = packed(LeastAngle().state(X, np.eye(k)[labels]))
    rng, order = np.random.default_rng(1), np.arange(30)
    for rule in (DRAW, METROPOLIS, HEAT_BATH):
        sample(state, labels, order, (rule, rng.integers(0, k, 30), rng.random((2, 30)), np.array([1.0, np.inf])), k)
    search(state, labels, order, rng.random((5, DRAWS)), 1e-9, k)
    kinds = [signature[0] for signature in walk.signatures]
    assert len(kinds) == len(set(kinds))
    assert len(choose.signatures) <= 1 or all("Literal" not in str(part) for s in choose.signatures for part in s)


class PlainSearch:
    """The search in plain words, for correlation clustering: a cluster costs an object minus its links into it."""

    def __init__(self, links, labels, order, k):
        self.links, self.labels, self.order, self.k = links, labels, order, k

    def prices(self, i):
        return np.array([-self.links[i, self.labels == c].sum() for c in range(self.k)])

    def total(self):
        return -self.links[self.labels[:, None] == self.labels].sum() / 2

    def descend(self, begin):
        n, quiet, looked = len(self.labels), 0, 0
        while quiet < n:
            i = self.order[(begin + looked) % n]
            h, looked, quiet = self.prices(i), looked + 1, quiet + 1
            if h.min() < h[self.labels[i]] - 1e-9:
                self.labels[i], quiet = h.argmin(), 0
        return looked

    def scatter(self, draw):
        n = len(self.labels)
        for t in range(2 + int(draw[1] * 4)):
            i = self.order[(int(n * draw[2]) + t) % n]
            self.labels[i] = (self.labels[i] + 1 + int((self.k - 1) * draw[4 + t % 4])) % self.k

    def found_anew(self, draw, alone):
        gone, founder = int(self.k * draw[1]), int(len(self.labels) * draw[2])
        for i in np.flatnonzero(self.labels == gone):
            h = self.prices(i)
            h[gone] = np.inf
            self.labels[i] = h.argmin()
        parent, self.labels[founder] = self.labels[founder], gone
        rest = np.flatnonzero(self.labels == parent)
        if not alone and len(rest):
            apart = -self.links[rest, founder]  # what the founder alone makes of it
            self.labels[rest[apart < apart.mean()]] = gone

    def run(self, draws):
        seen = self.descend(0)
        for draw in draws:
            kept, before = self.labels.copy(), self.total()
            self.scatter(draw) if draw[0] < 0.5 else self.found_anew(draw, draw[0] < 0.75)
            seen += self.descend(int(len(kept) * draw[3]))
            if self.total() > before + 1e-9:
                self.labels = kept
        return seen


@pytest.mark.parametrize("seed", range(4))
def test_the_search_is_the_one_in_plain_words(seed):
    rng, n, k = np.random.default_rng(seed), 40, 4
    links = make_links(rng.normal(size=(n, n)))
    labels, order, draws = rng.integers(0, k, n), rng.permutation(n), rng.random((12, DRAWS))
    assert len(set(np.digitize(draws[:, 0], [0.5, 0.75]))) == 3  # every kind of disturbance
    plain = PlainSearch(links.dense, labels.copy(), order, k)
    state = packed(Correlation().state(links, np.eye(k)[labels]))
    assert search(state, labels, order, draws, 1e-9, k) == plain.run(draws)
    np.testing.assert_array_equal(labels, plain.labels)
