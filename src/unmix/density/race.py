"""Several mixtures on one sample: a few steps of EM each, more for those ahead, and the best must beat the one held."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.costs.gaussian import Gaussian
from unmix.costs.mixture import Mixture, Stats
from unmix.inference.expectation import expectation

FIRST, FURTHER = 3, 12  # steps of EM of each, and of those ahead
LEAP = 0.01  # nats a row by which the mixture held must rise itself to count as another


def winner(
    X: RowBlocks,
    weights: np.ndarray | None,
    cost: Gaussian,
    mixtures: list[Mixture],
    held: Mixture,
    gain: float,
    finalists: int,
) -> Mixture | None:
    """The likeliest after all steps, if it is likelier than the one held by a gain for each row; else None.

    The one held makes as many steps; where it leaps by itself, that is the answer.
    """
    mark = advanced(X, weights, cost, held, 1)[0]
    race = [advanced(X, weights, cost, mixture, FIRST) for mixture in mixtures]
    ahead = sorted(race, key=first, reverse=True)[:finalists]
    value, best = max(
        (advanced(X, weights, cost, mixture, FURTHER) for _, mixture in ahead), key=first, default=(-np.inf, held)
    )
    if not value > mark + gain:
        return None
    reached, further = advanced(X, weights, cost, held, FURTHER)
    if value > reached + gain:
        return best
    return further if reached > mark + max(FURTHER * gain, LEAP) else None  # EM had stopped on a saddle


def first(runner: tuple[float, Mixture]) -> float:
    return runner[0]


def advanced(
    X: RowBlocks, weights: np.ndarray | None, cost: Gaussian, mixture: Mixture, steps: int
) -> tuple[float, Mixture]:
    """After some steps of EM, with the mean log-likelihood before the last one."""
    state = expectation(X, cost, mixture, weights=weights, max_iter=steps, tol=0.0, name="start")
    return -float(state.free_energy), state.prototypes


def statistics_of_shares(X: RowBlocks, q: np.ndarray, cost: Gaussian) -> tuple[Stats, Mixture]:
    """Of components that have the shares q (m, k) of the rows, about their means, which come with them.

    In two passes, as about any common point one far row would take the digits of all others.
    """
    around = cost.unit(q.shape[1])
    rough = X.reduce(share_statistics, cost, around, rows=q)
    count = rough.mass[:, None] if rough.observed is None else rough.observed
    around = cost.unit(q.shape[1], rough.first / np.where(count > 0, count, 1.0))
    return X.reduce(share_statistics, cost, around, rows=q), around


def share_statistics(block: Any, q: np.ndarray, cost: Gaussian, around: Mixture) -> Stats:
    return cost.statistics(block, q.astype(block.dtype), around)
