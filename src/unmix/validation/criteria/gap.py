"""The gap statistic: how much tighter are the clusters than those found in a flat table of the same extent?

W_k = Σ_c (1 / 2 n_c) Σ_{i, j in c} |x_i - x_j|² = Σ_i |x_i - u_c(i)|²          the pooled dispersion within clusters
Gap(k) = mean over references of log W*_k - log W_k,  s_k = sd(log W*_k) sqrt(1 + 1/B)
choice: the least k with Gap(k) ≥ Gap(k + 1) - s_{k+1}                          (Tibshirani, Walther and Hastie 2001)

References are uniform over the range of each column ("uniform"), or over the range along each principal axis, turned
back ("pca"), which has the shape of the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from unmix.core.random import spawn
from unmix.validation.criteria.base import Evaluation, Score, best_index
from unmix.validation.criteria.settings import at_least, one_of
from unmix.validation.fits.refit import canonical_rows, comparable_labels, in_parallel, refit_all, size_of


class GapDetails(NamedTuple):
    """log W of the data (grid,), and of every reference (B, grid)."""

    log_dispersion: np.ndarray
    references: np.ndarray


@dataclass(frozen=True)
class GapStatistic:
    """Gap statistic: how much smaller log W is than in reference tables without clusters; K = 1 is a candidate.

    The best K is the least whose gap the next does not beat by more than one error. Clusters that overlap are missed
    first where references are uniform in many dimensions: such tables are far looser than any Gaussian.

    Parameters
    ----------
    reference : "pca", "uniform" or a function
        What a table without clusters looks like. A function takes the table and returns a function of a random
        generator that draws one.
    n_references : int
        B above. Every grid point is fitted to each of them.
    max_rows : int
        Larger tables are judged on a random subset of this many rows.

    Notes
    -----
    Cost: n_references fits for each grid point, on at most max_rows rows. Models that take no negative values (counts)
    are compared with counts drawn from one common distribution in place of "pca".

    References
    ----------
    Tibshirani, Walther and Hastie, Estimating the number of clusters in a data set via the gap statistic, JRSS B 63,
    2001.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from unmix.datasets import blobs, uniform
    >>> from unmix.validation import select
    >>> X, y = blobs(120, 2, 3, random_state=0)
    >>> select(KMeans(n_init=3), X, range(1, 6), GapStatistic(), random_state=0).best_params
    {'n_clusters': 3}
    >>> select(KMeans(n_init=3), uniform(120, random_state=0), range(1, 6), GapStatistic(), random_state=0).best_params
    {'n_clusters': 1}
    """

    reference: Any = "pca"
    n_references: int = 20
    max_rows: int = 2000

    name = "gap"
    higher_is_better = True

    def __post_init__(self) -> None:
        at_least(self, n_references=2, max_rows=2)
        if not callable(self.reference):
            one_of(self, reference=tuple(_references), otherwise="a function")

    def evaluate(self, estimator: Any, X: np.ndarray, rng: np.random.Generator) -> Score:
        return self.evaluate_grid([estimator], X, rng).scores[0]

    def evaluate_grid(self, estimators: Sequence[Any], X: np.ndarray, rng: np.random.Generator) -> Evaluation:
        seed = int(rng.integers(2**31))
        rows = canonical_rows(X, self.max_rows, rng)
        data = np.asarray(X[rows], dtype=np.float64)
        draw = (self.reference if callable(self.reference) else _references[self.reference])(data)
        found = [log_dispersion(data, comparable_labels(estimator, X, rows, seed)) for estimator in estimators]

        def one(b: int) -> list[float]:
            table = draw(spawn(seed, b, 0)).astype(X.dtype, copy=False)
            return [log_dispersion(table, labels) for labels in refit_all(estimators, table, seed + b)]

        references = np.array(in_parallel(one, self.n_references, "references"))
        gaps = references.mean(axis=0) - found
        errors = references.std(axis=0) * np.sqrt(1 + 1 / self.n_references)
        scores = [Score(float(gap), float(error)) for gap, error in zip(gaps, errors)]
        choice = first_not_beaten(scores, [size_of(estimator) for estimator in estimators])
        return Evaluation(scores, choice, GapDetails(np.array(found), references))


def first_not_beaten(scores: Sequence[Score], sizes: Sequence[int | None]) -> int | None:
    """The least size whose gap the next size does not exceed by more than its error; the largest if there is none."""
    best = best_index(scores, True)
    if best is None or None in sizes:
        return best
    by_size: dict[int, int] = {}  # of several grid points of one size, the tightest
    for i in np.argsort([-score.value for score in scores], kind="stable").tolist():
        by_size.setdefault(int(sizes[i] or 0), i)
    order = [by_size[size] for size in sorted(by_size)]
    for here, following in pairwise(order):
        if scores[here].value >= scores[following].value - scores[following].error:
            return here
    return order[-1]


def log_dispersion(X: np.ndarray, labels: np.ndarray) -> float:
    """log Σ_i |x_i - u_c(i)|²; a row without a label (-1) counts with its distance to the mean of all.

    Rounding leaves no sum below that of the whole table times the rounding unit, which is what a perfect fit gets.
    """
    X = np.asarray(X, dtype=np.float64)
    scale = float(np.abs(X).max(initial=0.0)) or 1.0
    centred = X / scale - (X / scale).mean(axis=0)
    whole = (centred**2).sum()
    within = 0.0
    for name in np.unique(labels):
        rows = centred[labels == name]
        within += ((rows - (rows.mean(axis=0) if name != -1 else 0.0)) ** 2).sum()
    least = max(np.finfo(float).eps * whole, np.finfo(float).tiny)
    return float(np.log(max(within, least)) + 2 * np.log(scale))


def box_of_columns(X: np.ndarray) -> Any:
    """Draws tables uniform over the range of each column."""
    low, high = X.min(axis=0), X.max(axis=0)
    return lambda rng: low + (high - low) * rng.random(X.shape)


def box_of_axes(X: np.ndarray) -> Any:
    """Draws tables uniform over the range along each principal axis."""
    mean = X.mean(axis=0)
    scale = float(np.abs(X - mean).max(initial=0.0)) or 1.0
    axes = np.linalg.svd((X - mean) / scale, full_matrices=False)[2]
    draw = box_of_columns((X - mean) @ axes.T)
    return lambda rng: draw(rng) @ axes + mean


_references = {"pca": box_of_axes, "uniform": box_of_columns}
