"""Fits of models on both samples of a pair, and the agreement of their Gibbs distributions over temperatures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import lgamma
from typing import Any, NamedTuple

import numpy as np
from scipy.special import xlogy

from unmix.core.random import spawn
from unmix.inference.agreement.gibbs_path import Annealed, Problem, better_start, em_at_temperature, follow, hot_from
from unmix.inference.agreement.posterior import agreement
from unmix.validation.agreement.pairing import Pair, Pairing
from unmix.validation.evidence.gibbs import problem_of, takes_dissimilarities
from unmix.validation.fits.refit import in_parallel, refit, size_of

TEMPERATURE_RATIO = 1e-3  # the coldest temperature over the hottest


class Curves(NamedTuple):
    """Bits per object and the error from the finite number of objects, (pairs, models, temperatures).

    `ceilings` (pairs, models) is the most that clusters of the sizes found could carry.
    """

    bits: np.ndarray
    errors: np.ndarray
    n_objects: int
    ceilings: np.ndarray


def temperature_grids(
    estimators: Sequence[Any], X: np.ndarray, rows: np.ndarray, count: int, seed: int
) -> list[np.ndarray]:
    """Rising temperatures for every model, the same for all pairs so that their curves can be averaged."""

    def work(i: int) -> np.ndarray:
        estimator, hottest = estimators[i], 0.0
        if size_of(estimator) != 1:
            part = np.ix_(rows, rows) if takes_dissimilarities(estimator) else rows
            hottest = hot_from(problem_of(refit(estimator, X[part], seed), X[part]))
        hottest = hottest if hottest > 0 else 1.0
        return np.geomspace(TEMPERATURE_RATIO * hottest, hottest, count)

    return in_parallel(work, len(estimators), "temperatures")


def curves_of_pairs(
    estimators: Sequence[Any],
    X: np.ndarray,
    rows: np.ndarray,
    grids: Sequence[np.ndarray],
    pairing: Pairing,
    prior: str,
    count: int,
    seed: int,
    draw: Callable[[np.random.Generator], np.ndarray] | None = None,
    tables: int = 1,
) -> Curves:
    """All models on the same `count` pairs of samples; with `draw`, as many of each of `tables` it draws for X."""
    kinds = [takes_dissimilarities(estimator) for estimator in estimators]

    def work(turn: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
        table = X if draw is None else draw(spawn(seed, 1, turn // count))
        pairs = {kind: pairing.draw(table, rows, spawn(seed, 2, turn), kind) for kind in set(kinds)}
        stream = int(spawn(seed, 3, turn).integers(2**31 - 1))
        seen = [_curve(e, pairs[kind], T, prior, stream) for e, kind, T in zip(estimators, kinds, grids)]
        bits, errors, ceilings = (np.array(part) for part in zip(*seen))
        return bits, errors, ceilings, len(pairs[kinds[0]].second_rows)

    done = in_parallel(work, count * tables, "pairs" if draw is None else "chance")
    bits, errors, ceilings = (np.array([parts[i] for parts in done]) for i in range(3))
    return Curves(bits, errors, done[0][3], ceilings)


def _curve(estimator: Any, pair: Pair, T: np.ndarray, prior: str, seed: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Bits per object at each temperature, their error, and the most they could be."""
    if size_of(estimator) == 1:
        return np.zeros(len(T)), np.zeros(len(T)), 0.0
    # Seeds of their own: what an algorithm draws by chance must not come back because the draw does.
    first, second = (
        problem_of(refit(estimator, sample, seed + i), sample) for i, sample in enumerate((pair.first, pair.second))
    )
    first, second = _same_search(first, second, pair, float(T[0]))
    bits, errors, most = np.empty(len(T)), np.empty(len(T)), 0.0
    for i, (p, q) in enumerate(zip(follow(first, T), follow(second, T))):
        p, q = p[pair.first_rows], q[pair.second_rows]
        total, parts = agreement(p, q, prior=prior)
        most = most or (highest(p, prior) + highest(q, prior)) / 2  # of the coldest, the surest
        bits[i], errors[i] = total / len(parts), parts.std() / np.sqrt(len(parts))
    return bits / np.log(2), errors / np.log(2), most / np.log(2)


def highest(q: np.ndarray, prior: str) -> float:
    """Nats per object where another sample agrees in everything: the entropy of sizes, less the price of renaming."""
    (n, k), sizes = q.shape, q.mean(axis=0)
    return (np.log(k) if prior == "uniform" else float(-xlogy(sizes, sizes).sum())) - lgamma(k + 1) / n


def _same_search(first: Problem, second: Problem, pair: Pair, T: float) -> tuple[Problem, Problem]:
    """Each sample also tries the solution of the other: a search that failed on one of them must not pass for noise."""
    if not (isinstance(first, Annealed) and isinstance(second, Annealed)):
        return first, second
    from_first, from_second = first.prototypes, second.prototypes
    if np.array_equal(pair.first_rows, pair.second_rows):
        # the same objects, perhaps seen by other features: what is carried over is who belongs to whom
        from_first, from_second = _carried(first, second, T), _carried(second, first, T)
    if np.shape(from_first) != np.shape(second.prototypes) or np.shape(from_second) != np.shape(first.prototypes):
        return first, second  # one sample had too few distinct rows for all clusters
    return better_start(first, from_second, T), better_start(second, from_first, T)


def _carried(one: Annealed, other: Annealed, T: float) -> np.ndarray:
    """Prototypes of the other sample for the shares of one."""
    q = em_at_temperature(one.cost, one.data, one.prototypes, T)[1]
    if q.shape[1] != len(other.prototypes):
        return one.prototypes
    return other.cost.prototypes(other.cost.statistics(other.data, q, other.prototypes), other.prototypes)
