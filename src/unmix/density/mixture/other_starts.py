"""Other starts of EM, where the one found is in doubt: clusters of K-means by other draws and in other coordinates.

K-means cuts where rows spread most, and which columns those are is a matter of units. In columns of equal spread one
that only adds noise weighs as much as one that divides the rows. So rows are clustered anew

    from other draws,
    with all correlations removed,
    in those columns that are flatter than a Gaussian, as columns are that divide rows, all together,
    and in each of the flattest of them alone; if all components have one covariance, in each column, as then a
    direction in which groups are far apart is one in which the covariance is small, however wide the groups are;

none of which depends on units. Each clustering makes a mixture, and those that are likeliest after a few steps of EM on
a sample go on, as the first start does from its end.

A fit is in doubt if components share rows, or if two of them joined would lose little: to hold two groups in one
component another must be cut in two, or spent on few rows. With few rows for each parameter neither tells, as a cut
between chance groups is clean; then it is in doubt if K-means ends differently from other draws.
Reference: Biernacki, Celeux and Govaert, Choosing starting values for the EM algorithm for getting the highest
likelihood in multivariate Gaussian mixture models, Computational Statistics & Data Analysis 41 (2003).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from unmix.algorithms.kmeans.frame import find_frame
from unmix.algorithms.kmeans.lloyd.lloyd import Problem, begin, lloyd
from unmix.algorithms.kmeans.starts.plus_plus import several_plus_plus
from unmix.algorithms.rows.sample import few_leaves
from unmix.core.random import derive
from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import Family, log_determinant_of_whitening
from unmix.costs.gaussian.mixture import Mixture
from unmix.costs.nearest.differences import Points
from unmix.density.mixture.race import LONG, LONG_IF_TIED, SHORT, SHORT_IF_TIED, Legs, Sample, statistics_of_shares
from unmix.density.mixture.start import Given, mixture_of

VAGUE = 0.02  # nats of doubt about the component of a row, on average, from which other starts are worth their time
CLOSE = 0.2  # nats that each row of two components loses if they are one, beyond what their parameters fit by chance
FEW = 20  # rows for every component and column, below which chance groups are clean
SCARCE, SCARCE_ON_AXES = 25, 60  # the same, below which there are many optima; steps along axes are cheap
ROWS_A_COMPONENT = 64  # of the sample, at least
THOROUGH_WORK, MOST_WORK = 14e6, 30e6  # products in a step of EM on the sample
PER_PAIR = 8  # products that the exponential of a row and a component costs
AGREE = 8  # draws of K-means that end alike, where rows are few, leave no doubt,
RIVAL = 1.2  # and so do those that cost more than this many times the best
ALONE, ALONE_IF_TIED = 3, 32  # columns tried one by one
GAUSSIAN = 3.0  # fourth moment of a Gaussian, in units of the second squared
PASSES, COARSE = 30, 1e-3  # of Lloyd's iteration, and the movement that ends it
FLAT = 1e-9  # share of the largest eigenvalue of the correlations below which a direction does not vary


class Effort(NamedTuple):
    """How much is tried: rows, draws of K-means, also in single columns and without correlations, and legs of EM."""

    rows: int
    least_moved: int  # components from which on two are joined and one is cut; of fewer other draws find the same
    restarts: int
    draws: int
    whitened: int
    legs: Legs
    legs_if_tied: Legs

    def legs_of(self, family: Family) -> Legs:
        return self.legs_if_tied if family.shared else self.legs


USUAL = Effort(rows=1536, least_moved=2, restarts=3, draws=1, whitened=1, legs=SHORT, legs_if_tied=SHORT_IF_TIED)
# few rows have many optima, and cost little
THOROUGH = Effort(rows=4096, least_moved=2, restarts=16, draws=3, whitened=16, legs=LONG, legs_if_tied=LONG_IF_TIED)


class Doubt(NamedTuple):
    """What tells whether a fit is to be looked at again."""

    vague: bool  # components share rows, or two are close
    chance: bool  # rows are so few that components may be chance groups, however clean


def doubt_about(mixture: Mixture, entropy: float, mass: float) -> Doubt:
    """Given the mean entropy of the component of a row."""
    k, d = mixture.means.shape
    return Doubt(entropy > VAGUE or least_loss(mixture, mass) < CLOSE, mass < FEW * k * (d + 1))


def effort_for(family: Family, k: int, d: int, mass: float) -> Effort | None:
    """Thorough where rows are scarce and steps short, none where every step is long: many columns or components."""
    scarce = mass < (SCARCE_ON_AXES if family.axis else SCARCE) * k * (d + 1)
    for effort, most in ((THOROUGH, THOROUGH_WORK), (USUAL, MOST_WORK)):
        rows = min(mass, max(effort.rows, ROWS_A_COMPONENT * k))
        work = rows * k * ((d if family.axis else d * d) + PER_PAIR)
        if work < most and (scarce or effort is USUAL):
            return effort
    return None


def least_loss(mixture: Mixture, mass: float) -> float:
    """What each row of two components at least loses if they are one, less what as many parameters fit by chance."""
    k, d = mixture.means.shape
    alive = np.flatnonzero(mixture.weights > 0)
    if len(alive) < 2 or len(alive) > MOST_COMPARED:
        return -np.inf
    shape = np.broadcast_to(mixture.covariances, (k, *mixture.covariances.shape[1:]))
    shape = np.einsum("ci,ij->cij", shape, np.eye(d)) if shape.ndim == 2 else shape
    a, b = alive[np.array(np.triu_indices(len(alive), 1))]
    both = mixture.weights[a] + mixture.weights[b]
    first, second = (mixture.weights[c] / both for c in (a, b))
    apart = np.sqrt(first * second)[:, None] * (mixture.means[a] - mixture.means[b])
    one = first[:, None, None] * shape[a] + second[:, None, None] * shape[b] + apart[:, :, None] * apart[:, None, :]
    volume = np.broadcast_to(-log_determinant_of_whitening(mixture.whitening), k)
    loss = 0.5 * np.linalg.slogdet(one)[1] + first * (np.log(first) - volume[a]) + second * (np.log(second) - volume[b])
    return float((loss - (d * (d + 3) / 2 + 1) / (both * mass)).min())


MOST_COMPARED = 64  # components


def other_starts(
    sample: Sample, cost: Gaussian, found: Mixture, given: Given, seed: int, effort: Effort
) -> list[Mixture]:
    """Mixtures of the clusters of K-means by other draws and in other coordinates."""
    k = len(found.weights)
    labels = [*restarts(sample, k, seed, effort.restarts), *partitions(sample, k, seed, effort, cost.family.shared)]
    return [mixture_of_labels(sample, cost, each, k, given) for each in labels]


def mixture_of_labels(sample: Sample, cost: Gaussian, labels: np.ndarray, k: int, given: Given) -> Mixture:
    q = np.zeros((len(labels), k))
    q[np.arange(len(labels)), labels] = sample.weights
    stats, around = statistics_of_shares(sample.rows, q, cost)
    return mixture_of(stats, cost, around, given)


def restarts(sample: Sample, k: int, seed: int, draws: int, within: float = np.inf) -> list[np.ndarray]:
    """Labels of the rows by K-means from several draws, those that truly differ and cost so many times the least."""
    return clusterings(sample.view, sample.weights, k, derive(seed, 1), draws, draws, within)


def partitions(sample: Sample, k: int, seed: int, effort: Effort, tied: bool) -> Iterator[np.ndarray]:
    """Labels of the rows by K-means in several coordinates."""
    view, weights = sample.view, sample.weights
    if view.shape[1] == 1:
        return
    flatness, order = flattest_first(view, weights)
    flattest = [j for j in order if flatness[j] < GAUSSIAN]
    columns = [[j] for j in (order[:ALONE_IF_TIED] if tied else flattest[:ALONE])]
    if 1 < len(flattest) < view.shape[1]:
        columns.append(flattest)
    for turn, part in enumerate(columns):
        yield from clusterings(view[:, part], weights, k, derive(seed, 2, turn), effort.draws, 1)
    yield from clusterings(whitened(view, weights), weights, k, derive(seed, 3), effort.whitened, effort.whitened)


def clusterings(
    rows: np.ndarray, weights: np.ndarray, k: int, seed: int, draws: int, most: int, within: float = np.inf
) -> list[np.ndarray]:
    """Labels by K-means from several draws, those that truly differ, the ``most`` that cost least."""
    blocks = few_leaves(np.ascontiguousarray(rows))
    frame = find_frame(blocks, weights)
    problem, points = Problem(blocks, weights, frame, COARSE), Points(blocks.gather(), weights, frame)
    different: dict[str, tuple[float, np.ndarray]] = {}
    for centers in several_plus_plus(points, k, seed, draws):
        state = lloyd(problem, begin(problem, centers), PASSES)
        labels = np.maximum(state.labels.astype(np.intp), 0)
        different.setdefault(f"{state.objective:.6e}", (state.objective, labels))
    best = sorted(different.values(), key=lambda each: each[0])[:most]
    return [labels for cost, labels in best if cost <= within * best[0][0]]


def flattest_first(view: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """The fourth moment of each column that varies, in units of the second squared; columns by it, least first."""
    share = weights / weights.sum()
    away = view - share @ view
    second, fourth = share @ away**2, share @ away**4
    flat = np.divide(fourth, second**2, out=np.full(len(second), np.inf), where=second > 0)
    order = sorted(range(len(flat)), key=lambda j: float(f"{flat[j]:.9e}"))
    return flat, [j for j in order if flat[j] < np.inf]


def whitened(view: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Rows without correlations, of spread 1 in every direction in which they vary.

    By the symmetric root of the covariance, which leaves nothing open as the signs of eigenvectors would.
    """
    share = weights / weights.sum()
    away = view - share @ view
    values, vectors = np.linalg.eigh((away * share[:, None]).T @ away)
    keep = values > FLAT * values[-1]
    return away @ (vectors[:, keep] / np.sqrt(values[keep]) @ vectors[:, keep].T)
