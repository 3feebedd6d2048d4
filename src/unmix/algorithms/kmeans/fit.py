"""The whole fit of K-means: frame, start, Lloyd's iteration on all rows, final labels.

Wherever the rows are kept, the samples of the start are the same, so is every sum, and so is the result, to the bit.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from unmix.algorithms.kmeans.far_rows import stand_out, with_far_rows
from unmix.algorithms.kmeans.frame import find_frame
from unmix.algorithms.kmeans.lloyd.labels_and_cost import Assessment, assess
from unmix.algorithms.kmeans.lloyd.lloyd import AnyState, Problem, State, advance, begin
from unmix.algorithms.kmeans.multi_start import Settings, sample_size, search
from unmix.algorithms.rows.sample import Sample, draw_sample
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate
from unmix.costs.nearest.centers import Frame

NEARLY_ALL = 1.5  # data up to so many samples are taken whole: what is learned on a sample is learned once


class Fit(NamedTuple):
    """A fit in the coordinates of the data, clusters in canonical order."""

    centers: np.ndarray
    labels: np.ndarray
    cost: float
    mass: np.ndarray
    iterations: int


def fit(
    X: RowBlocks, weights: np.ndarray | None, k: int, settings: Settings, seed: int, *, draws: int | None = None
) -> Fit:
    """Centres, labels and cost of K-means; starts and swaps draw by `seed` as the sample does, or by `draws`."""
    draws = seed if draws is None else draws
    frame, sample = find_frame(X, weights), None
    if isinstance(settings.start, np.ndarray) and not settings.swaps:
        centers = frame.enter(settings.start)
    else:
        size = sample_size(X.shape[1], k)
        mass = max(X.shape[0], 0 if weights is None else weights.sum())
        sample = draw_sample(X, weights, mass if mass <= NEARLY_ALL * size else size, seed)
        centers = search(sample, frame, k, settings, draws)
    return fit_from(X, weights, frame, centers, settings, sample, draws)


def fit_from(
    X: RowBlocks,
    weights: np.ndarray | None,
    frame: Frame,
    centers: np.ndarray,
    settings: Settings,
    sample: Sample | None = None,
    seed: int = 0,
) -> Fit:
    """Lloyd's iteration over all rows from the given centres (in the frame), and what it ends with.

    Centres that a sample has given are found once more if the first pass meets rows that the sample has missed.
    """
    problem = Problem(X, weights, frame, settings.tol)
    known = sample if sample is not None and not sample.whole and settings.swaps else None

    def step(state: AnyState) -> tuple[AnyState, dict[str, float]]:
        state, measured = advance(problem, state)
        if known is not None and isinstance(state, State) and state.iteration == 1 and stand_out(state):
            better = with_far_rows(problem, state, known, centers, settings, seed)
            state = begin(problem, better)._replace(iteration=1)
        return state, measured

    state: AnyState = iterate(step, begin(problem, centers), max_iter=settings.max_iter, name="lloyd")
    if not isinstance(settings.start, str) and not settings.swaps:  # who gives the centres has numbered them
        return finish(X, weights, frame.leave(state.centers), state.iteration, ordered=False)
    order = canonical_order(state.mass, state.centers)
    return finish(X, weights, frame.leave(state.centers[order]), state.iteration)


def finish(
    X: RowBlocks,
    weights: np.ndarray | None,
    centers: np.ndarray,
    iterations: int,
    assess: Callable[..., Assessment] = assess,
    *,
    ordered: bool = True,
) -> Fit:
    """Canonical order (weight of the cluster, then centre), labels and cost; centres in the precision of the data."""
    centers = centers.astype(X.dtype)
    found = assess(X, weights, centers)
    for _ in range(
        3 if ordered else 0
    ):  # the order may change the labels, of rows that are equally far from two centres
        order = canonical_order(found.mass, centers)
        if (order == np.arange(len(order))).all():
            break
        centers = np.ascontiguousarray(centers[order])
        found = assess(X, weights, centers)
    return Fit(centers, found.labels, found.cost, found.mass, iterations)


def canonical_order(mass: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Heaviest cluster first, equal ones by the coordinates of their centres."""
    return np.lexsort((*centers.T[::-1], -mass))
