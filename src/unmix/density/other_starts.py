"""Other starts of EM, where the components found overlap: clusters of K-means in other coordinates.

K-means cuts where rows spread most, and which columns those are is a matter of units. In columns of equal spread one
that only adds noise weighs as much as one that divides the rows. So rows are clustered anew

    with all correlations removed,
    in those columns that are flatter than a Gaussian, as columns are that divide rows, all together,
    and in each of the flattest of them alone;

none of which depends on units. Each clustering makes a mixture, and those that are likeliest after a few steps of EM on
a sample go on, as the first start does from its end. A mixture whose components hardly share a row is left as it is: to
cut a group in two and to join two others would have left components that overlap.
Reference: Biernacki, Celeux and Govaert, Choosing starting values for the EM algorithm for getting the highest
likelihood in multivariate Gaussian mixture models, Computational Statistics & Data Analysis 41 (2003).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from unmix.core.blocks import LocalBlocks, RowBlocks
from unmix.core.sources import ArraySource
from unmix.costs.gaussian import Gaussian
from unmix.costs.mixture import Mixture
from unmix.density.start import Given, mixture_of
from unmix.factors import kmeans
from unmix.factors.search import Settings
from unmix.inference.expectation import expectation

VAGUE = 0.02  # nats of doubt about the component of a row, on average, from which other starts are worth their time
ROWS, ROWS_A_COMPONENT = 1024, 64  # of the sample
ALONE = 3  # columns tried one by one
FIRST, FURTHER, FINALISTS = 3, 12, 2  # steps of EM of each start, and of the best of them
FLAT = 1e-9  # share of the largest eigenvalue of the correlations below which a direction does not vary


def better_start(
    X: RowBlocks,
    view: np.ndarray,
    weights: np.ndarray | None,
    cost: Gaussian,
    found: Mixture,
    given: Given,
    gain: float,
    seed: int,
) -> Mixture | None:
    """A mixture likelier than the one found, by a gain for each row of the sample X; None if there is none.

    ``view`` (m, d) holds the rows in columns of equal spread, without gaps.
    """
    k, race = len(found.weights), []
    for labels in partitions(view, weights, k, seed):
        race.append(advanced(X, weights, cost, mixture_of_labels(X, weights, cost, labels, found, given), FIRST))
    race.sort(key=lambda runner: runner[0], reverse=True)
    ends = [advanced(X, weights, cost, mixture, FURTHER) for _, mixture in race[:FINALISTS]]
    if not ends:
        return None
    value, best = max(ends, key=lambda runner: runner[0])
    return best if value > advanced(X, weights, cost, found, FURTHER)[0] + gain else None


def advanced(
    X: RowBlocks, weights: np.ndarray | None, cost: Gaussian, mixture: Mixture, steps: int
) -> tuple[float, Mixture]:
    """After some steps of EM, with the mean log-likelihood before the last one."""
    state = expectation(X, cost, mixture, weights=weights, max_iter=steps, tol=0.0, name="start")
    return -float(state.free_energy), state.prototypes


def mixture_of_labels(
    X: RowBlocks, weights: np.ndarray | None, cost: Gaussian, labels: np.ndarray, found: Mixture, given: Given
) -> Mixture:
    around = cost.unit(len(found.weights), np.tile(found.weights @ found.means, (len(found.weights), 1)))
    own = np.ones(len(labels)) if weights is None else weights
    return mixture_of(X.reduce(label_statistics, cost, around, rows=(labels, own)), cost, around, given)


def label_statistics(block: Any, rows: tuple[np.ndarray, np.ndarray], cost: Gaussian, around: Mixture) -> Any:
    labels, weights = rows
    q = np.zeros((len(labels), len(around.weights)), block.dtype)
    q[np.arange(len(labels)), labels] = weights
    return cost.statistics(block, q, around)


def partitions(view: np.ndarray, weights: np.ndarray | None, k: int, seed: int) -> Iterator[np.ndarray]:
    """Labels of the rows by K-means in several coordinates, each kind once."""
    flattest = flattest_first(view, weights)
    columns = [flattest[:1], *([j] for j in flattest[1:ALONE])]
    if 1 < len(flattest) < view.shape[1]:
        columns.append(flattest)
    views = [view[:, part] for part in columns if len(part)] if view.shape[1] > 1 else []
    if view.shape[1] > 1:
        views.append(whitened(view, weights))
    for rows in views:
        blocks = LocalBlocks(ArraySource(np.ascontiguousarray(rows)))
        yield np.asarray(kmeans.fit(blocks, weights, k, Settings(), seed).labels)


def flattest_first(view: np.ndarray, weights: np.ndarray | None) -> list[int]:
    """Columns whose fourth moment, in units of the second squared, is below the 3 of a Gaussian; least first."""
    share = np.full(len(view), 1 / len(view)) if weights is None else weights / weights.sum()
    away = view - share @ view
    second, fourth = share @ away**2, share @ away**4
    flat = np.divide(fourth, second**2, out=np.full(len(second), np.inf), where=second > 0)
    order = sorted(range(len(flat)), key=lambda j: float(f"{flat[j]:.9e}"))
    return [j for j in order if flat[j] < 3]


def whitened(view: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Rows without correlations, of spread 1 in every direction in which they vary.

    By the symmetric root of the covariance, which leaves nothing open as the signs of eigenvectors would.
    """
    share = np.full(len(view), 1 / len(view)) if weights is None else weights / weights.sum()
    away = view - share @ view
    values, vectors = np.linalg.eigh((away * share[:, None]).T @ away)
    keep = values > FLAT * values[-1]
    return away @ (vectors[:, keep] / np.sqrt(values[keep]) @ vectors[:, keep].T)
