"""The whole fit of K-means: frame, starts and swaps on rows in memory, Lloyd's iteration on all rows, final labels.

Starts, restarts and swap moves look at the data many times but need no more than a few hundred rows a cluster, so they
work on a sample in memory (small data are taken whole); the best result of the restarts is where Lloyd's iteration
over all rows begins, and a handful of passes ends it (Bradley & Fayyad, Refining initial points, ICML 1998). Wherever
the rows are kept, the sample is the same, so is every sum, and so is the result, to the bit.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.core.loop import iterate
from unmix.core.nearest import Frame
from unmix.core.points import Points
from unmix.factors.assess import Assessment, assess
from unmix.factors.exchange import polish
from unmix.factors.frame import find_frame
from unmix.factors.lloyd import Problem, State, advance, begin, lloyd
from unmix.factors.sample import FEW_ROWS, Sample, draw_sample
from unmix.factors.start import STARTS
from unmix.factors.swap import improve

SAMPLE_ROWS, SAMPLE_PER_CLUSTER = 2**14, 128  # rows on which starts are refined
SEEDING_ROWS, SEEDING_PER_CLUSTER = 2**12, 64  # rows among which starts are chosen
SAMPLE_ENTRIES = 2**24
SAMPLE_TOL = 0.01  # more exactly than asked for: late iterations are cheap, and swaps are judged by small differences

Start = str | np.ndarray | Callable[..., Any]


class Settings(NamedTuple):
    """How a fit is run: the kind of start, restarts, rounds of swaps, and when to stop."""

    start: Start = "k-means++"
    n_init: int = 1
    swaps: int = 0
    max_iter: int = 300
    tol: float = 1e-4


class Fit(NamedTuple):
    """A fit in the coordinates of the data, clusters in canonical order."""

    centers: np.ndarray
    labels: np.ndarray
    cost: float
    mass: np.ndarray
    iterations: int


class Search(NamedTuple):
    """The best centres of the restarts so far."""

    iteration: int
    done: bool
    centers: np.ndarray
    objective: float


def fit(X: RowBlocks, weights: np.ndarray | None, k: int, settings: Settings, seed: int) -> Fit:
    """Centres, labels and cost of K-means."""
    frame = find_frame(X, weights)
    centers = first_centers(X, weights, frame, k, settings, seed)
    return fit_from(X, weights, frame, centers, settings)


def fit_from(X: RowBlocks, weights: np.ndarray | None, frame: Frame, centers: np.ndarray, settings: Settings) -> Fit:
    """Lloyd's iteration over all rows from the given centres (in the frame), and what it ends with."""
    problem = Problem(X, weights, frame, settings.tol)
    state: State = iterate(
        lambda state: advance(problem, state), begin(problem, centers), max_iter=settings.max_iter, name="lloyd"
    )
    return finish(X, weights, frame.leave(state.centers), state.iteration)


def first_centers(
    X: RowBlocks, weights: np.ndarray | None, frame: Frame, k: int, settings: Settings, seed: int
) -> np.ndarray:
    """Given centres as they are; else the best of the restarts on a sample."""
    if isinstance(settings.start, np.ndarray) and not settings.swaps:
        return frame.enter(settings.start)
    sample = draw_sample(X, weights, sample_size(X.shape[1], k), seed)
    plain = sample.whole and settings.n_init == 1 and not settings.swaps
    search = Search(0, False, np.zeros((k, X.shape[1])), np.inf)

    def restart(search: Search) -> tuple[Search, dict[str, float]]:
        centers, objective = refined_start(sample, frame, k, settings, seed, search.iteration, plain)
        better = objective < search.objective or search.iteration == 0
        best = (centers, objective) if better else (search.centers, search.objective)
        return Search(search.iteration + 1, False, *best), {"objective": frame.cost(objective)}

    return iterate(restart, search, max_iter=settings.n_init, name="start").centers


def sample_size(d: int, k: int) -> int:
    rows = max(SAMPLE_ROWS, SAMPLE_PER_CLUSTER * k)
    return max(min(rows, SAMPLE_ENTRIES // d), SEEDING_PER_CLUSTER * k)


def refined_start(
    sample: Sample, frame: Frame, k: int, settings: Settings, seed: int, turn: int, plain: bool
) -> tuple[np.ndarray, float]:
    """One start, with Lloyd's iteration and swaps on the sample unless `plain`."""
    centers = choose_centers(sample, frame, k, settings.start, seed, turn)
    if plain:
        return centers, np.inf
    problem = Problem(sample.blocks, sample.weights, frame, settings.tol * SAMPLE_TOL)
    state = lloyd(problem, begin(problem, centers), settings.max_iter)
    state = improve(problem, state, settings.swaps, settings.max_iter, seed, turn)
    if settings.swaps and sample.whole and sample.blocks.shape[0] <= FEW_ROWS:
        return polish(sample, frame, state)
    return state.centers, state.objective


def choose_centers(sample: Sample, frame: Frame, k: int, start: Start, seed: int, turn: int) -> np.ndarray:
    if isinstance(start, np.ndarray):
        return frame.enter(start)
    if callable(start):
        return frame.enter(start(sample.blocks.gather(), k, seed + turn))
    few = seeding_rows(sample, k, seed + turn)
    return STARTS[start](Points(few.blocks.gather(), few.weights, frame), k, seed, turn)


def seeding_rows(sample: Sample, k: int, seed: int) -> Sample:
    """The rows among which starts are chosen; enough for k clusters, few because each centre is chosen among all."""
    return draw_sample(sample.blocks, sample.weights, max(SEEDING_ROWS, SEEDING_PER_CLUSTER * k), seed)


def finish(
    X: RowBlocks,
    weights: np.ndarray | None,
    centers: np.ndarray,
    iterations: int,
    assess: Callable[..., Assessment] = assess,
) -> Fit:
    """Canonical order (weight of the cluster, then centre), labels and cost; centres in the precision of the data."""
    centers = centers.astype(X.dtype)
    found = assess(X, weights, centers)
    for _ in range(3):  # a tie between centres may go to another cluster once the order has changed
        order = canonical_order(found.mass, centers)
        if (order == np.arange(len(order))).all():
            break
        centers = np.ascontiguousarray(centers[order])
        found = assess(X, weights, centers)
    return Fit(centers, found.labels, found.cost, found.mass, iterations)


def canonical_order(mass: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Heaviest cluster first, equal ones by the coordinates of their centres."""
    return np.lexsort((*centers.T[::-1], -mass))
