"""Other starts of EM, where the one found is in doubt: clusters of K-means by other draws and in other coordinates.

K-means cuts where rows spread most, and which columns those are is a matter of units. In columns of equal spread one
that only adds noise weighs as much as one that divides the rows. So rows are clustered anew

    from other draws,
    with all correlations removed,
    in those columns that are flatter than a Gaussian, as columns are that divide rows, all together,
    and in each of the flattest of them alone;

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

import numpy as np

from unmix.core.blocks import LocalBlocks, RowBlocks
from unmix.core.random import derive
from unmix.core.sources import ArraySource
from unmix.costs.covariance import log_determinant_of_whitening
from unmix.costs.gaussian import Gaussian
from unmix.costs.mixture import Mixture
from unmix.density.race import statistics_of_shares, winner
from unmix.density.start import Given, mixture_of
from unmix.factors import kmeans
from unmix.factors.search import Settings

VAGUE = 0.02  # nats of doubt about the component of a row, on average, from which other starts are worth their time
CLOSE = 0.2  # nats that each row of two components loses if they are one, beyond what their parameters fit by chance
FEW = 20  # rows for every component and column, below which chance groups are clean
ROWS, ROWS_A_COMPONENT = 2048, 64  # of the sample
RESTARTS = 4
ALONE = 3  # columns tried one by one
FINALISTS = 2
SWAPS = 20  # rounds, in coordinates that are tried once
FLAT = 1e-9  # share of the largest eigenvalue of the correlations below which a direction does not vary


def in_doubt(mixture: Mixture, doubt: float, mass: float) -> bool:
    """Whether components share rows or are close, given the doubt about the component of a row."""
    return doubt > VAGUE or least_loss(mixture, mass) < CLOSE


def has_few_rows(k: int, d: int, mass: float) -> bool:
    return mass < FEW * k * (d + 1)


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


def better_start(
    X: RowBlocks,
    view: np.ndarray,
    weights: np.ndarray | None,
    cost: Gaussian,
    found: Mixture,
    given: Given,
    gain: float,
    seed: int,
    *,
    restarts_only: bool = False,
) -> Mixture | None:
    """A mixture likelier than the one found, by a gain for each row of the sample X; None if there is none.

    ``view`` (m, d) holds the rows in columns of equal spread, without gaps. With ``restarts_only`` other coordinates
    are left out, and restarts that agree tell that nothing is in doubt.
    """
    k = len(found.weights)
    labels = restarts(view, weights, k, seed)
    if restarts_only and len(labels) < 2:
        return None
    labels += [] if restarts_only else list(partitions(view, weights, k, seed))
    mixtures = [mixture_of_labels(X, weights, cost, each, found, given) for each in labels]
    return winner(X, weights, cost, mixtures, found, gain, FINALISTS)


def mixture_of_labels(
    X: RowBlocks, weights: np.ndarray | None, cost: Gaussian, labels: np.ndarray, found: Mixture, given: Given
) -> Mixture:
    q = np.zeros((len(labels), len(found.weights)))
    q[np.arange(len(labels)), labels] = 1.0 if weights is None else weights
    stats, around = statistics_of_shares(X, q, cost)
    return mixture_of(stats, cost, around, given)


def restarts(view: np.ndarray, weights: np.ndarray | None, k: int, seed: int) -> list[np.ndarray]:
    """Labels of the rows by K-means from several draws, those that truly differ."""
    blocks = LocalBlocks(ArraySource(np.ascontiguousarray(view)))
    different: dict[str, np.ndarray] = {}
    for turn in range(RESTARTS):
        fit = kmeans.fit(blocks, weights, k, Settings(), derive(seed, 1, turn))
        different.setdefault(f"{fit.cost:.6e}", np.asarray(fit.labels))
    return list(different.values())


def partitions(view: np.ndarray, weights: np.ndarray | None, k: int, seed: int) -> Iterator[np.ndarray]:
    """Labels of the rows by K-means in several coordinates, each kind once."""
    flattest = flattest_first(view, weights)
    columns = [flattest[:1], *([j] for j in flattest[1:ALONE])]
    if 1 < len(flattest) < view.shape[1]:
        columns.append(flattest)
    views = [view[:, part] for part in columns if len(part)] if view.shape[1] > 1 else []
    if view.shape[1] > 1:
        views.append(whitened(view, weights))
    for turn, rows in enumerate(views):
        blocks = LocalBlocks(ArraySource(np.ascontiguousarray(rows)))
        yield np.asarray(kmeans.fit(blocks, weights, k, Settings(swaps=SWAPS), derive(seed, 2, turn)).labels)


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
