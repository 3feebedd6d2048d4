"""K-means where entries are missing (NaN), by partial distances: a row is compared where it was observed.

    minimise  sum_i w_i sum over observed j of (x_ij - u_c(i)j)²

    sum over observed j of (x_j - u_j)² = sum_j m_j x_j² - 2 sum_j (m_j x_j) u_j + sum_j m_j u_j²,   m_j = 1 if observed

so two matrix products, with the data and with the mask, give all distances; where they leave open which is smallest,
differences decide. A centre is the mean, column by column, of what its rows show; the objective falls at both steps.
Starts are chosen with the middle of the column in the gaps.

Dixon, Pattern recognition with partly missing data, IEEE Trans. SMC 9 (1979); Chi, Chi & Baraniuk, k-POD (2016).
"""

from typing import NamedTuple

import numpy as np

from unmix.algorithms.kmeans.fit import Fit, finish
from unmix.algorithms.kmeans.frame import Largest, find_middle
from unmix.algorithms.kmeans.lloyd.empty import Farthest, give_rows
from unmix.algorithms.kmeans.lloyd.labels_and_cost import Assessment, Places, place
from unmix.algorithms.kmeans.multi_start import Settings, sample_size, search
from unmix.algorithms.rows.sample import Sample, draw_sample
from unmix.core.blocks import LocalBlocks, RowBlocks
from unmix.core.iteration.loop import iterate
from unmix.costs.nearest.centers import Frame, Nearest, expansion_error, frame_around, is_clear
from unmix.io.dispatch import as_source


class Observed(NamedTuple):
    """Sums over observed entries, for each column or for each cluster and column."""

    sums: np.ndarray
    mass: np.ndarray
    squares: np.ndarray
    cost: float


class State(NamedTuple):
    iteration: int
    done: bool
    centers: np.ndarray
    objective: float

    @property
    def fixed_shapes(self) -> bool:
        """In a checkpoint: kernels trust the number of centres."""
        return True


def fit_partial(X: RowBlocks, weights: np.ndarray | None, k: int, settings: Settings, seed: int) -> Fit:
    """As `kmeans.fit`, for rows with gaps."""
    frame, variance = find_partial_frame(X, weights)
    start = settings.start
    if isinstance(start, np.ndarray) and not settings.swaps:
        centers = frame.enter(start)
    else:
        sample = fill_gaps(draw_sample(X, weights, sample_size(X.shape[1], k), seed), frame)
        centers = search(sample, frame, k, settings, seed)

    @np.errstate(over="ignore")  # centres that are given may be farther away than squares reach
    def advance(state: State) -> tuple[State, dict[str, float]]:
        from unmix.algorithms.kmeans.lloyd.center_kernel import unit_of_movement

        found = X.reduce(observe_clusters, frame, state.centers, rows=weights)
        seen = found.mass > 0
        centers = np.where(seen, found.sums / np.where(seen, found.mass, 1.0), state.centers)
        centers = repair(X, weights, frame, state.centers, centers, found)
        moved = ((centers - state.centers) ** 2).sum()
        unit = unit_of_movement(found.cost, variance, found.mass.sum() / X.shape[1], *centers.shape)
        done = bool(moved <= settings.tol * unit or found.cost == state.objective < np.inf)
        return State(state.iteration + 1, done, centers, found.cost), {"objective": frame.cost(found.cost)}

    state = iterate(advance, State(0, False, centers, np.inf), max_iter=settings.max_iter, name="lloyd")
    ordered = isinstance(start, str) or settings.swaps > 0
    return finish(X, weights, frame.leave(state.centers), state.iteration, assess_partial, ordered=ordered)


def find_partial_frame(X: RowBlocks, weights: np.ndarray | None) -> tuple[Frame, float]:
    """The frame around the middle of the observed entries, and the mean variance of the columns in it."""
    largest = X.reduce(largest_observed, rows=weights).value
    frame = frame_around(find_middle(X, weights), largest, X.dtype)
    total = X.reduce(observe_columns, frame, rows=weights)
    if not total.mass.all():
        empty = int(np.flatnonzero(total.mass == 0)[0])
        raise ValueError(f"column {empty} has no observed value; drop it before fitting")
    variance = total.squares / total.mass - (total.sums / total.mass) ** 2
    return frame, float(np.maximum(variance, 0.0).mean())


def largest_observed(block: np.ndarray, weights: np.ndarray | None) -> Largest:
    rows = np.abs(block if weights is None else block[weights > 0])
    return Largest(float(np.max(rows, where=~np.isnan(rows), initial=0.0)))


def split(block: np.ndarray, frame: Frame) -> tuple[np.ndarray, np.ndarray]:
    """The rows in the frame with zeros in the gaps, and the mask of what was observed, both in float64."""
    mask = ~np.isnan(block)
    return np.where(mask, frame.enter(block), 0.0), mask.astype(np.float64)


def observe_columns(block: np.ndarray, weights: np.ndarray | None, frame: Frame) -> Observed:
    values, mask = split(block, frame)
    weights = np.ones(len(block)) if weights is None else weights
    return Observed(weights @ values, weights @ mask, weights @ values**2, 0.0)


def partial_distances(block: np.ndarray, frame: Frame, centers: np.ndarray, unmoved: np.ndarray | None) -> np.ndarray:
    """Squared distances (n, k) over the observed entries; `unmoved` as in `nearest`."""
    values, mask = split(block, frame)
    norms = (values**2).sum(axis=1)
    with np.errstate(over="ignore", invalid="ignore"):  # such squares are taken again
        squares = np.maximum(norms[:, None] - 2 * values @ centers.T + mask @ (centers**2).T, 0.0)
    if len(centers) > 1:
        two = np.partition(squares, 1, axis=1)
        clear = is_clear(Nearest(two, two[:, 0], two[:, 1]), norms, expansion_error(values.dtype, values.shape[1]))
        part = np.flatnonzero(~clear)
        exact = (frame, centers) if unmoved is None else (Frame(frame.scale, np.zeros_like(frame.shift)), unmoved)
        squares[part] = square_differences(block[part], *exact)
    return squares


def square_differences(block: np.ndarray, frame: Frame, centers: np.ndarray) -> np.ndarray:
    """The same from differences."""
    values, mask = split(block, frame)
    squares = np.empty((len(block), len(centers)))
    with np.errstate(over="ignore"):
        for c, center in enumerate(centers):
            squares[:, c] = (mask * (values - center) ** 2).sum(axis=1)
    return squares


def observe_clusters(block: np.ndarray, weights: np.ndarray | None, frame: Frame, centers: np.ndarray) -> Observed:
    """Every row to its nearest centre, and what the clusters show."""
    from scipy.sparse import csr_array

    n, k = len(block), len(centers)
    distances = partial_distances(block, frame, centers, None)
    labels = distances.argmin(axis=1)
    weights = np.ones(n) if weights is None else weights
    members = csr_array((weights, (labels, np.arange(n))), shape=(k, n))
    values, mask = split(block, frame)
    cost = float(weights @ (mask * (values - centers[labels]) ** 2).sum(axis=1))
    return Observed(members @ values, members @ mask, np.zeros((k, 1)), cost)


def repair(
    X: RowBlocks, weights: np.ndarray | None, frame: Frame, before: np.ndarray, centers: np.ndarray, found: Observed
) -> np.ndarray:
    """Put each centre that has no rows on one of the rows farthest from the centres that have some."""
    missing = np.flatnonzero(~found.mass.any(axis=1))
    if not missing.size:
        return centers
    far = X.reduce(farthest, frame, before, np.delete(centers, missing, axis=0), len(missing), rows=weights)
    return give_rows(centers, found.sums, found.mass, missing, far)


def farthest(
    block: np.ndarray, weights: np.ndarray | None, frame: Frame, before: np.ndarray, centers: np.ndarray, count: int
) -> Farthest:
    """With the middle of the column where a row has a gap; the clusters are those of the centres before."""
    near = partial_distances(block, frame, centers, None).min(axis=1)
    weights = np.ones(len(block)) if weights is None else weights
    near[weights == 0] = -1.0
    order = np.argsort(-near, kind="stable")[:count]
    values, mask = split(block[order], frame)
    labels = partial_distances(block[order], frame, before, None).argmin(axis=1)
    return Farthest(near[order], values, labels, weights[order, None] * mask)


class Gaps(NamedTuple):
    cost: float
    mass: np.ndarray


def label_partial(block: np.ndarray, weights: np.ndarray | None, places: Places) -> tuple[np.ndarray, Gaps]:
    """Labels, and the cost from residuals."""
    centers = places.unmoved
    labels = partial_distances(block, places.frame, places.inside, centers).argmin(axis=1).astype(np.int32)
    values, mask = split(block, places.scaled)
    residuals = (mask * (values - centers[labels]) ** 2).sum(axis=1)
    weights = np.ones(len(block)) if weights is None else weights
    return labels, Gaps(float(weights @ residuals), np.bincount(labels, weights, minlength=len(centers)))


def assess_partial(X: RowBlocks, weights: np.ndarray | None, centers: np.ndarray) -> Assessment:
    """As `assess`, for rows with gaps."""
    places = place(centers, False, X.dtype)
    labels, total = X.step(label_partial, weights, places)
    return Assessment(labels, places.frame.cost(total.cost), total.mass)


def fill_gaps(sample: Sample, frame: Frame) -> Sample:
    rows = sample.blocks.gather()
    middle = frame.leave(np.zeros(rows.shape[1])).astype(rows.dtype)
    return sample._replace(blocks=LocalBlocks(as_source(np.where(np.isnan(rows), middle, rows))))


def distances(X: RowBlocks, centers: np.ndarray) -> np.ndarray:
    """Distances (n, k) scaled up to all columns, from differences; NaN for a row without any observed entry."""
    places = place(centers, False, X.dtype)
    return X.map(distance_rows, places.scaled, places.unmoved)


def distance_rows(block: np.ndarray, rows: None, frame: Frame, centers: np.ndarray) -> np.ndarray:
    observed = (~np.isnan(block)).sum(axis=1)
    share = np.where(observed > 0, block.shape[1] / np.maximum(observed, 1), np.nan)
    square = square_differences(block, frame, centers)
    return (np.sqrt(square * share[:, None]) / frame.scale).astype(block.dtype)  # type: ignore[no-any-return]
