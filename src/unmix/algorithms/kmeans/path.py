"""K-means for many numbers of clusters at once.

The first K rows of one k-means++ sequence are a start for K clusters, so a restart is drawn once for all K. Restarts
are compared after Lloyd's iteration on the few rows among which they were drawn; the best of each K goes on to swaps
on a larger sample and to the iteration over all rows, as a single fit does.
"""

from typing import NamedTuple

import numpy as np

from unmix.algorithms.kmeans.fit import Fit, fit_from
from unmix.algorithms.kmeans.frame import find_frame
from unmix.algorithms.kmeans.lloyd.lloyd import AnyState, Problem, begin, lloyd
from unmix.algorithms.kmeans.multi_start import COARSE_TOL, Settings, few_rows, refine, refine_best, sample_size
from unmix.algorithms.kmeans.starts.plus_plus import STARTS
from unmix.algorithms.rows.sample import Sample, draw_sample
from unmix.core.blocks import RowBlocks
from unmix.core.execution import current_execution, execution
from unmix.core.iteration.loop import iterate
from unmix.core.threads import run_in_order
from unmix.costs.nearest.centers import Frame
from unmix.costs.nearest.differences import Points

SCREENING = 6  # iterations after which restarts are compared


class Refined(NamedTuple):
    """Centres for every number of clusters."""

    iteration: int
    done: bool
    centers: tuple[np.ndarray, ...]


def fit_path(X: RowBlocks, weights: np.ndarray | None, ks: list[int], settings: Settings, seed: int) -> list[Fit]:
    """A fit for each number of clusters."""
    frame = find_frame(X, weights)
    sample = draw_sample(X, weights, sample_size(X.shape[1], max(ks)), seed)

    def start(_: Refined) -> tuple[Refined, dict[str, float]]:
        return Refined(1, True, tuple(find_starts(sample, frame, ks, settings, seed))), {}

    refined = iterate(start, Refined(0, False, ()), max_iter=1, name="start").centers
    return [fit_from(X, weights, frame, centers, settings, sample, seed) for centers in refined]


def find_starts(sample: Sample, frame: Frame, ks: list[int], settings: Settings, seed: int) -> list[np.ndarray]:
    """For each k, where the iteration over all rows begins; threads take one k each, which they do not share."""
    few = few_rows(sample, max(ks), seed)
    starts = best_restarts(few, frame, ks, settings, seed)
    found: list[np.ndarray] = []

    def work(which: int) -> np.ndarray:
        with execution(threads=1):
            best = refine(few, frame, starts[which], settings, seed, which)
            return refine_best(sample, few, frame, (best.centers,), settings, seed)

    run_in_order(work, len(ks), lambda which, centers: found.append(centers), current_execution().n_threads)
    return found


def best_restarts(few: Sample, frame: Frame, ks: list[int], settings: Settings, seed: int) -> list[np.ndarray]:
    """For each k, the centres of the best restart after a few iterations; threads take (k, restart) pairs."""
    points = Points(few.blocks.gather(), few.weights, frame)
    problem = Problem(few.blocks, few.weights, frame, COARSE_TOL)
    threads, start = current_execution().n_threads, STARTS[str(settings.start)]
    sequences: list[np.ndarray] = []
    found: list[list[AnyState]] = [[] for _ in ks]

    def draw(turn: int) -> np.ndarray:
        return start(points, max(ks), seed, turn)

    def work(pair: int) -> AnyState:
        which, turn = divmod(pair, settings.n_init)
        with execution(threads=1):
            return lloyd(problem, begin(problem, sequences[turn][: ks[which]]), SCREENING)

    run_in_order(draw, settings.n_init, lambda turn, sequence: sequences.append(sequence), threads)
    pairs = settings.n_init * len(ks)
    run_in_order(work, pairs, lambda pair, state: found[pair // settings.n_init].append(state), threads)
    return [min(states, key=lambda state: state.objective).centers for states in found]
