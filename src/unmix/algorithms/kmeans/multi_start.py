"""Where Lloyd's iteration over all rows begins: the best of several starts, refined on ever more rows.

Starts, restarts and swap moves look at the data many times but need no more than some hundred rows a cluster. So
restarts are drawn, iterated and improved by swaps on few rows; the best goes through the same on a larger sample; both
are held in memory. Data that are no larger than a sample are taken whole.

Bradley & Fayyad, Refining initial points for K-means clustering, ICML 1998.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.kmeans.lloyd.lloyd import AnyState, Problem, begin, lloyd
from unmix.algorithms.kmeans.starts.hartigan import polish
from unmix.algorithms.kmeans.starts.plus_plus import STARTS
from unmix.algorithms.kmeans.starts.swap import improve
from unmix.algorithms.rows.sample import FEW_ROWS, Sample, draw_sample
from unmix.core.iteration.loop import iterate
from unmix.costs.nearest.centers import Frame
from unmix.costs.nearest.differences import Points

SAMPLE_ROWS, SAMPLE_PER_CLUSTER = 2**14, 128
SAMPLE_ENTRIES = 2**24  # wide tables get along with fewer rows
FEW_PER_CLUSTER = 40

# Of the search, whatever limits the last iterations have: a search cut short or followed further takes other swaps and
# may end anywhere, so more iterations could end worse. From one start, each iteration over all rows lowers the cost.
MOST_PASSES, COARSE_TOL, FINE_TOL = 300, 1e-4, 1e-6

LEADERS = 3  # results on few rows that are compared again on the sample

Start = str | np.ndarray | Callable[..., Any]


class Settings(NamedTuple):
    """How a fit is run: the kind of start, restarts, rounds of swaps, and when the last iterations stop."""

    start: Start = "k-means++"
    n_init: int = 1
    swaps: int = 0
    max_iter: int = 300
    tol: float = 1e-4


class Search(NamedTuple):
    """The best few results so far, the best first."""

    iteration: int
    done: bool
    centers: tuple[np.ndarray, ...]
    objectives: tuple[float, ...]


def enough_restarts(k: int) -> int:
    """With many clusters swaps find what restarts would; with few a restart is cheap and swaps have little choice."""
    return max(1, min(4, 64 // k))


def sample_size(d: int, k: int) -> int:
    rows = max(SAMPLE_ROWS, SAMPLE_PER_CLUSTER * k)
    return max(min(rows, SAMPLE_ENTRIES // d), FEW_PER_CLUSTER * k)


def few_rows(sample: Sample, k: int, seed: int) -> Sample:
    """The rows among which starts are chosen; few, because each of k centres is chosen among all of them."""
    mass = max(sample.blocks.shape[0], 0 if sample.weights is None else sample.weights.sum())
    if sample.whole and mass <= FEW_ROWS:  # in order already
        return sample
    return draw_sample(sample.blocks, sample.weights, max(FEW_ROWS, FEW_PER_CLUSTER * k), seed)


def search(sample: Sample, frame: Frame, k: int, settings: Settings, seed: int) -> np.ndarray:
    """Centres, in the frame, from which to iterate over all rows."""
    few = few_rows(sample, k, seed)
    drawn = isinstance(settings.start, str)
    if (sample.whole or not drawn) and settings.n_init == 1 and not settings.swaps:
        return choose_centers(few, frame, k, settings.start, seed, 0)

    def restart(found: Search) -> tuple[Search, dict[str, float]]:
        centers = choose_centers(few, frame, k, settings.start, seed, found.iteration)
        state = refine(few, frame, centers, settings, seed, found.iteration)
        leaders = leading([*zip(found.objectives, found.centers), (state.objective, state.centers)])
        objectives, best = (tuple(side) for side in zip(*leaders))
        return Search(found.iteration + 1, False, best, objectives), {"objective": frame.cost(state.objective)}

    leaders = iterate(restart, Search(0, False, (), ()), max_iter=settings.n_init, name="start").centers
    return refine_best(sample, few, frame, leaders, settings, seed)


def leading(results: list[tuple[float, np.ndarray]]) -> list[tuple[float, np.ndarray]]:
    """The best results that are truly different, as far as few rows can tell."""
    chosen: list[tuple[float, np.ndarray]] = []
    for objective, centers in sorted(results, key=lambda result: result[0]):
        if len(chosen) < LEADERS and all(objective > 1.0005 * other for other, _ in chosen):
            chosen.append((objective, centers))
    return chosen


def choose_centers(few: Sample, frame: Frame, k: int, start: Start, seed: int, turn: int) -> np.ndarray:
    if not isinstance(start, str):
        return frame.enter(start(k, turn) if callable(start) else start)
    rows = few.blocks.gather()
    return STARTS[start](Points(rows, few.weights, frame), k, seed, turn)


def refine(sample: Sample, frame: Frame, centers: np.ndarray, settings: Settings, seed: int, turn: int) -> AnyState:
    """Lloyd's iteration and swaps on the sample."""
    problem = Problem(sample.blocks, sample.weights, frame, COARSE_TOL)
    state = lloyd(problem, begin(problem, centers), MOST_PASSES)
    state = improve(problem, state, settings.swaps, MOST_PASSES, 4, seed, turn)
    return finely(problem, state)


def finely(problem: Problem, state: AnyState) -> AnyState:
    """Iterate on to a smaller tolerance: the last iterations on a sample are cheap, and results close together."""
    return lloyd(replace(problem, tol=FINE_TOL), state._replace(done=False), MOST_PASSES)


def refine_best(
    sample: Sample, few: Sample, frame: Frame, leaders: tuple[np.ndarray, ...], settings: Settings, seed: int
) -> np.ndarray:
    """The best of the leaders on the sample, refined there; if few rows are all rows, by exchanges of single ones."""
    if few.whole and sample.whole:
        return polish(few, frame, leaders[0]) if settings.swaps else leaders[0]
    return best_of(sample, frame, leaders, settings, seed)


def best_of(sample: Sample, frame: Frame, leaders: tuple[np.ndarray, ...], settings: Settings, seed: int) -> np.ndarray:
    """The best of the leaders on the sample, refined there."""
    problem = Problem(sample.blocks, sample.weights, frame, COARSE_TOL)
    states = [lloyd(problem, begin(problem, centers), MOST_PASSES) for centers in leaders]
    best = min(states, key=lambda state: state.objective)
    best = improve(problem, best, settings.swaps, MOST_PASSES, 2, seed, settings.n_init)
    return finely(problem, best).centers
