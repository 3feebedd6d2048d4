"""Rules of single moves against their formulas, and what a cost compiles for them."""

import math

import numpy as np
import pytest
from numba import config

from unmix.costs.least_angle import LeastAngle
from unmix.costs.moves import packed
from unmix.inference import local_moves
from unmix.inference.local_moves import (
    CHEAPEST,
    DRAW,
    HEAT_BATH,
    JOIN,
    LEAVE,
    METROPOLIS,
    STAY,
    choose,
    sample,
    search,
)

H = np.array([0.3, -0.2, 1.1, -0.2])


def chosen(rule, own, cluster=-1, beta=np.inf, chance=0.5, h=H):
    return int(choose(h, np.empty(len(h)), own, rule, np.int64(cluster), beta, chance))


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
    search(state, labels, order, rng.random((5, local_moves.DRAWS)), 1e-9, k)
    for name in ("walk", "disturb", "look"):
        kinds = [signature[0] for signature in getattr(local_moves, name).signatures]
        assert len(kinds) == len(set(kinds)), name
    assert len(choose.signatures) <= 1 or all("Literal" not in str(part) for s in choose.signatures for part in s)
