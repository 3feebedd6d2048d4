"""K-means whose labels like to agree with their neighbours' (spatial coupling), annealed.

    R(c, U) = Σ_i ||x_i - u_c(i)||² + λ/2 Σ_i Σ_{j in N(i)} [c(i) ≠ c(j)]

For given prototypes this is a Potts cost with the squared distances as its field. Shares follow its Gibbs distribution,
by any step, from a temperature at which neighbours do not yet bind each other down to zero, where single objects and
whole domains are moved as long as that pays, and a local search goes on from there. Prototypes go to the means of their
shares, but not above the temperature of the residuals, where these means would all fall together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.core.iteration.loop import iterate
from unmix.core.random import derive, spawn
from unmix.costs.links import Links, make_links
from unmix.costs.potts import Couplings, Potts
from unmix.costs.smooth_means import LinkedRows, SmoothMeans
from unmix.inference.local.local_search import budget, refine
from unmix.inference.prototypes.domains import relabel_domains
from unmix.inference.sampler import Gibbs, Sampled
from unmix.inference.step import Step

MOST_TURNS = 50
# prices of labels that the last search looks at: many among few objects, and ever fewer beyond FEW of them, whose
# domains have been moved already
SEARCHED, LEAST_SEARCHED, FEW = 2_500_000, 400_000, 316
SEARCHES, DRAWN_FOR = 3, 1024  # searches from different labels, and the objects up to which there is more than one
MOST_SEARCHES, SAME_COST = 24, 1e-9  # where none came back to the best of them, costs being the same within this share


class Smooth(NamedTuple):
    iteration: int
    done: bool
    q: np.ndarray
    centers: np.ndarray


class Smoothed(NamedTuple):
    centers: np.ndarray
    labels: np.ndarray
    cost: float
    iterations: int


def smooth(
    X: np.ndarray,
    links: Links,
    centers: np.ndarray,
    step: Step,
    *,
    temperatures: np.ndarray,
    melting: float,
    seed: int,
) -> Smoothed:
    """From given centres, which rest above the temperature `melting`; links hold λ for every pair of neighbours."""
    potts = Potts()

    def advance(state: Smooth) -> tuple[Smooth, dict[str, float]]:
        temperature = float(temperatures[state.iteration])
        data = Couplings(links, squared_distances(X, state.centers))
        rng = spawn(seed, state.iteration)
        inner, visit = step.visit(potts, data, step.restart(state.q), temperature, rng)
        done, q = state.iteration + 1 == len(temperatures), step.shares(inner)
        moved = means(X, q, state.centers) if temperature <= melting else state.centers
        new = Smooth(state.iteration + 1, done, q, moved)
        return new, visit.measured(temperature)

    start = squared_distances(X, centers)
    q = np.eye(len(centers))[start.argmin(axis=1)]
    state = iterate(advance, Smooth(0, False, q, centers), max_iter=len(temperatures), name="smooth")
    return search(X, links, state, float(temperatures[0]), seed)


def search(X: np.ndarray, links: Links, state: Smooth, hot: float, seed: int) -> Smoothed:
    """Harden, search on among all labels with prototypes at their means, and harden again.

    Few objects with strong links have optima far apart, and one search comes back to that where it began: so others
    begin at prototypes drawn among the rows, until two of them meet in the best.
    """
    n, k = len(X), state.q.shape[1]
    first = harden(X, links, state.q.argmax(axis=1), state.centers, derive(seed, 0, 1))
    prices = max(LEAST_SEARCHED, SEARCHED * min(1.0, FEW / n) ** 2)
    most = min(budget(k, n), int(prices) // k)
    found: list[Smoothed] = []
    for turn in range(MOST_SEARCHES if n <= DRAWN_FOR else 1):
        if turn >= SEARCHES and came_back(found):
            break
        labels = drawn_labels(X, k, derive(seed, 1, turn)) if turn else first.labels
        labels = refine(SmoothMeans(), LinkedRows(X, links), labels, k, hot, derive(seed, 2, turn), most)
        found.append(harden(X, links, labels, means(X, np.eye(k)[labels], first.centers), derive(seed, 3, turn)))
    best = min(found, key=lambda one: one.cost)
    return best._replace(iterations=state.iteration + first.iterations + best.iterations)


def came_back(found: list[Smoothed]) -> bool:
    """Whether two searches ended in the best labels that were found."""
    costs = sorted(one.cost for one in found)
    return costs[1] <= costs[0] + SAME_COST * abs(costs[0])


def drawn_labels(X: np.ndarray, k: int, seed: int) -> np.ndarray:
    """The nearest of k rows drawn at random."""
    return squared_distances(X, X[spawn(seed, 0).choice(len(X), k, replace=False)]).argmin(axis=1)


def unlinked_search(X: np.ndarray, labels: np.ndarray, k: int, seed: int) -> np.ndarray:
    """Labels of K-means, which is the cost without links, one turn of the local search on: by the kernel of the end."""
    from scipy.sparse import csr_array

    links = make_links(csr_array((len(X), len(X))))
    return refine(SmoothMeans(), LinkedRows(X, links), labels, k, 1.0, seed, 0)


def diffused(X: np.ndarray, links: Links, steps: int) -> np.ndarray:
    """Every row averaged with its neighbours, some times over: less noise, to start from."""
    weight = links.degrees()[:, None]
    scale = float(weight.mean()) or 1.0  # a neighbour counts as much as the row itself
    neighbours = max(float(np.diff(links.starts).mean()), 1.0)
    for _ in range(steps):
        X = (X + links.pull(X) * (neighbours / scale)) / (1 + weight * (neighbours / scale))
    return X


def harden(X: np.ndarray, links: Links, labels: np.ndarray, centers: np.ndarray, seed: int) -> Smoothed:
    """Labels of single objects, of whole domains, and means in turn, at zero temperature, until nothing changes."""
    potts, k, turns = Potts(), len(centers), 0
    for turn in range(MOST_TURNS):
        data = Couplings(links, squared_distances(X, centers))
        start = Sampled(labels, labels, potts.total(data, labels), k)
        found, _ = Gibbs(20).visit(potts, data, start, 0.0, spawn(seed, turn))
        new = relabel_domains(data, found.labels)
        turns, same = turn + 1, (new == labels).all()
        labels, centers = new, means(X, np.eye(k)[new], centers)
        if same:
            break
    data = Couplings(links, squared_distances(X, centers))
    return Smoothed(centers, labels, potts.total(data, labels), turns)


def squared_distances(X: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """(n, k), one centre at a time: no (n, k, d) array."""
    return np.stack([((X - center.astype(X.dtype)) ** 2).sum(axis=1, dtype=np.float64) for center in centers], axis=1)


def means(X: np.ndarray, q: np.ndarray, previous: np.ndarray) -> np.ndarray:
    mass = q.sum(axis=0)[:, None]
    return np.where(mass > 0, (q.T @ X) / np.maximum(mass, np.finfo(float).tiny), previous)


def grid_links(height: int, width: int, weight: float) -> Links:
    """Links of weight λ between the pixels of a grid and their four neighbours, in the order of rows."""
    from scipy.sparse import csr_array

    number, n = np.arange(height * width).reshape(height, width), height * width
    one = np.concatenate([number[:, :-1].ravel(), number[:-1].ravel()])
    other = np.concatenate([number[:, 1:].ravel(), number[1:].ravel()])
    half = csr_array((np.full(len(one), 2 * weight), (one, other)), shape=(n, n))
    return make_links(half)  # which takes the mean of both directions
