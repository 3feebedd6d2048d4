"""The fast solver of divergences beside β = 1 and 2: more than one start, and the longest safe multiplicative steps.

Below β = 1 the objective has many local minima, and no start leads to the best one on all tables.  Two are tried: the
one asked for, and where ten iterations of least squares lead from it.  After `TRIAL` iterations one that is far behind
is given up; the others go on, and the best is kept.

Bertin, Févotte & Badeau, A tempering approach for Itakura-Saito non-negative matrix factorization, ICASSP 2009 (from
large β to small); Févotte & Idier, Algorithms for nonnegative matrix factorization with the β-divergence, 2011.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from unmix.algorithms.nonnegative.divergences.multiplicative import multiplicative
from unmix.algorithms.nonnegative.loss import Rule
from unmix.algorithms.nonnegative.problem import Penalty, Problem, State, begin

WARM_UP_ITERATIONS = 10  # iterations of least squares
TRIAL, BEHIND = 20, 0.05
LEVEL = 0.1  # of the level of a factor: what is zero would stay zero under the rule


def from_several_starts(
    problem: Problem, state: State, least_squares: Callable[..., State], max_iter: int, loss: float, level: float
) -> State:
    plain = problem._replace(codes=Penalty(), components=Penalty(), tol=0.0)
    near = least_squares(plain, state, WARM_UP_ITERATIONS)
    starts = [near] if loss > 1 else [state, near]
    rule = Rule(loss, swift=True)
    names = [f"start {i + 1}" for i in range(len(starts))]
    few = min(TRIAL, max_iter)
    tried = [multiplicative(problem, opened(start, level), few, rule, name) for start, name in zip(starts, names)]
    bound = (1 + BEHIND) * min(state.objective for state in tried)
    going = [(state, name) for state, name in zip(tried, names) if state.objective <= bound]
    done = [multiplicative(problem, state, max_iter, rule, name) for state, name in going]
    return min(done, key=lambda state: state.objective)


def opened(state: State, level: float) -> State:
    """A start without zeros."""
    codes, components = (
        np.maximum(factor, factor.dtype.type(LEVEL * level)) for factor in (np.asarray(state.codes), state.components)
    )
    return begin(codes, components)
