"""Several mixtures on one sample: a few steps of EM each, more for those ahead, and the best must beat the one held.

All make their steps together: the components of R mixtures are held as those of one, and only the shares of a row are
found mixture by mixture. On few rows what surrounds a step costs more than the step.
"""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.mixture import Mixture, Stats

SHORT = ((4, 4), (8, 2), (40, 1))  # legs of a race: steps of EM, and how many challengers there are after them
LONG = ((5, 12), (8, 6), (12, 3), (60, 1))
# one covariance for all is slow to shrink across the line between groups, so that those far behind may still win
SHORT_IF_TIED = ((12, 10), (12, 4), (20, 1))
LONG_IF_TIED = ((12, 12), (12, 6), (20, 2), (20, 1))
PACE = 10.0  # times its last rise: what a challenger may still gain
LEAP = 0.01  # nats a row by which the mixture held must rise itself to count as another
MOST_COMPONENTS = 512  # of all mixtures together
FEW = 2**16  # distances of all mixtures, which NumPy takes at once and uncompiled


Legs = tuple[tuple[int, int], ...]


class Sample(NamedTuple):
    """The rows of a race: in the units of the fit, and in columns of equal spread without gaps; what each counts."""

    rows: Any
    view: np.ndarray
    weights: np.ndarray


class Runner(NamedTuple):
    mixture: Mixture
    value: float = -np.inf  # mean log-likelihood before the last step
    rise: float = np.inf  # by the last step

    def may_pass(self, mark: float) -> bool:
        return self.value + PACE * self.rise > mark


def winner(
    sample: Sample, cost: Gaussian, mixtures: list[Mixture], held: Mixture, gain: float, legs: Legs = SHORT
) -> Mixture | None:
    """The likeliest after all steps, if it is likelier than the one held by a gain for each row; else None.

    The one held makes as many steps; where it leaps by itself, that is the answer. Likelihood that a component gains
    by shrinking to a point or to a few rows does not count, so such mixtures are left behind.
    """
    own, field = Runner(held), [Runner(each) for each in mixtures[: MOST_COMPONENTS // len(held.weights)]]
    begun, may_collapse = advanced(sample, cost, [own], 1)[0].value, is_spurious(held, sample, cost)
    leap = max(gain, LEAP)
    for steps, places in legs:
        own, *field = advanced(sample, cost, [own, *field], steps, gain / PACE)
        field = sorted((each for each in field if each.may_pass(own.value + gain)), key=lambda each: -each.value)
        allowed = (each for each in field if may_collapse or not is_spurious(each.mixture, sample, cost))
        field = list(islice(allowed, places))
        if not field and not own.may_pass(begun + leap):
            break
    if field and field[0].value > own.value + gain:
        return field[0].mixture
    return own.mixture if own.value > begun + leap else None  # EM had stopped where it hardly rose


def is_spurious(mixture: Mixture, sample: Sample, cost: Gaussian) -> bool:
    every = np.ones(len(cost.floor), dtype=bool)
    few = cost.undetermined(mixture, len(every), float(sample.weights.sum()))
    return bool((few | cost.at_floor(mixture, every)).any())


def advanced(
    sample: Sample, cost: Gaussian, runners: list[Runner], steps: int, settled: float = -np.inf
) -> list[Runner]:
    """After some steps of EM; fewer if all rise by less than ``settled``."""
    if cost.family.shared:  # one covariance for all components is not one for all mixtures
        return [run for each in runners for run in advanced_together(sample, cost, [each], steps, settled)]
    return advanced_together(sample, cost, runners, steps, settled)


def advanced_together(
    sample: Sample, cost: Gaussian, runners: list[Runner], steps: int, settled: float
) -> list[Runner]:
    stack = stacked([each.mixture for each in runners])
    values, rises = np.array([each.value for each in runners]), np.array([each.rise for each in runners])
    for _ in range(steps):
        reached, stack = step(sample, cost, stack, len(runners))
        values, rises = reached, reached - values
        if (np.abs(rises) < settled).all():
            break
    return [Runner(*each) for each in zip(apart(stack, len(runners)), values.tolist(), rises.tolist())]


def step(sample: Sample, cost: Gaussian, stack: Mixture, count: int) -> tuple[np.ndarray, Mixture]:
    """One step of EM of every mixture in the stack, and their mean log-likelihoods before it."""
    q, log_z = shares(cost.distances(sample.rows, stack), count, sample.weights)
    new = cost.prototypes(cost.statistics(sample.rows, q, stack), stack)
    new = new._replace(weights=count * new.weights, log_constants=new.log_constants + np.log(count))
    return log_z @ sample.weights / sample.weights.sum(), new


def shares(distances: np.ndarray, count: int, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the components of each mixture have of every row (rows, count k), and log Z (count, rows)."""
    from unmix.inference.local.soften import few_marginals, gibbs

    if distances.size <= FEW:
        each = np.ascontiguousarray(distances.T).reshape(count, -1, len(distances))
        q, log_z, _ = few_marginals(each, 1.0, weights)
        return q.reshape(-1, len(distances)).T, log_z
    parts = [gibbs(part, 1.0, weights)[:2] for part in np.split(distances, count, axis=1)]
    return np.concatenate([q.T for q, _ in parts]).T, np.array([log_z for _, log_z in parts])


def stacked(mixtures: list[Mixture]) -> Mixture:
    if len(mixtures) == 1:
        return mixtures[0]
    arrays: dict[str, Any] = {name: np.concatenate([getattr(each, name) for each in mixtures]) for name in ARRAYS}
    return mixtures[0]._replace(**arrays, precise=any(each.precise for each in mixtures))


def apart(stack: Mixture, count: int) -> list[Mixture]:
    if count == 1:
        return [stack]
    split: dict[str, Any] = {name: np.split(getattr(stack, name), count) for name in ARRAYS}
    parts: list[dict[str, Any]] = [{name: arrays[r] for name, arrays in split.items()} for r in range(count)]
    return [stack._replace(**part) for part in parts]


ARRAYS = ("weights", "means", "covariances", "whitening", "log_constants")


def statistics_of_shares(rows: Any, q: np.ndarray, cost: Gaussian) -> tuple[Stats, Mixture]:
    """Of components that have the shares q (m, k) of the rows, about their means, which come with them.

    In two passes, as about any common point one far row would take the digits of all others.
    """
    around, q = cost.unit(q.shape[1]), q.astype(rows.dtype)
    rough = cost.statistics(rows, q, around)
    count = rough.mass[:, None] if rough.observed is None else rough.observed
    around = cost.unit(q.shape[1], rough.first / np.where(count > 0, count, 1.0))
    return cost.statistics(rows, q, around), around
