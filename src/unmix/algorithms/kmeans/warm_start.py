"""K-means from centres that are good already: swaps on a sample, patiently, then Lloyd's iteration over all rows.

A start drawn at random is first iterated on few rows, since most of it will be undone. Centres that some other search
has found on thousands of rows would only lose by that. Where all rows are few, starts are drawn as well, until they
come to the same cost: swaps alone seldom lead far from the centres that were given.
"""

import numpy as np

from unmix.algorithms.kmeans.fit import NEARLY_ALL, Fit, fit, fit_from
from unmix.algorithms.kmeans.frame import find_frame
from unmix.algorithms.kmeans.lloyd.lloyd import Problem, begin, lloyd
from unmix.algorithms.kmeans.multi_start import Settings, enough_restarts, finely, sample_size
from unmix.algorithms.kmeans.starts.swap import improve
from unmix.algorithms.rows.sample import FEW_ROWS, draw_sample
from unmix.core.blocks import RowBlocks
from unmix.core.random import derive

ROUNDS, PATIENCE = 400, 24  # of swaps, and how many in a row may fail
DRAWN = 6  # starts drawn for each restart of K-means,
AGREED = 6  # fewer if so many in a row come to the same cost
SAME = 1e-9  # costs that differ by this share are the same


def fit_from_centers(X: RowBlocks, weights: np.ndarray | None, centers: np.ndarray, seed: int, draws: int) -> Fit:
    """The sample is drawn by `seed`, candidates of swaps by `draws`."""
    k, mass = len(centers), max(X.shape[0], 0 if weights is None else weights.sum())
    if mass <= FEW_ROWS:  # all rows are few, and single ones can be exchanged
        best = fit(X, weights, k, Settings(centers, 1, ROUNDS // 4), seed, draws=draws)
        return with_drawn(X, weights, best, DRAWN * enough_restarts(k), seed, draws)
    frame, size, settings = find_frame(X, weights), sample_size(X.shape[1], k), Settings(centers, swaps=ROUNDS)
    sample = draw_sample(X, weights, mass if mass <= NEARLY_ALL * size else size, seed)
    problem = Problem(sample.blocks, sample.weights, frame, settings.tol)
    state = lloyd(problem, begin(problem, frame.enter(centers)), settings.max_iter)
    state = improve(problem, state, ROUNDS, settings.max_iter, PATIENCE, draws, 0)
    return fit_from(X, weights, frame, finely(problem, state).centers, settings, sample, draws)


def with_drawn(X: RowBlocks, weights: np.ndarray | None, best: Fit, most: int, seed: int, draws: int) -> Fit:
    """The best of a fit and of so many from drawn starts, fewer if some in a row come to the best cost."""
    k, agreed = len(best.centers), 0
    for turn in range(most):
        drawn = fit(X, weights, k, Settings("k-means++", 1, ROUNDS // 4), seed, draws=derive(draws, turn))
        agreed = agreed + 1 if abs(drawn.cost - best.cost) <= SAME * best.cost else 0
        best = drawn if drawn.cost < (1 - SAME) * best.cost else best
        if agreed == AGREED:
            break
    return best
