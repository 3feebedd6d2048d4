"""Gaussian mixtures of several shapes at every number of components: how many Gaussians explain the rows?

BIC(k) = -2 log L + κ log n                          the fewest components that describe the density
ICL(k) = BIC(k) - 2 Σ_ic q_ic log q_ic               … and of which each row belongs clearly to one

Both are taken at the best of the shapes, as in Fraley and Raftery (2002); ICL is that of Biernacki, Celeux and
Govaert (2000). Shapes matter: round components with a variance each need few rows, full ones follow long clusters, and
one axis-parallel covariance for all pays least for columns that tell nothing. A mixture does not count if a component
has fewer than four rows, or no more rows than the dimensions its covariance is free in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp, xlogy

from unmix.cluster import KMeans
from unmix.density import GaussianMixture
from unmix.validation.fits.quick import quick_fit
from unmix.validation.fits.refit import in_parallel

SHAPES = ("spherical", "diag", "tied", "full", "tied diag")  # the order small_mixture numbers them in
MOST_FEATURES = 20  # beyond, the leading principal components stand for the rows
ROWS_PER_COMPONENT = 4  # with fewer, a component describes noise
MAX_ITER, TOL, LEAST_VARIANCE = 200, 1e-4, 1e-4
STRONG = 6.0  # difference of BIC that counts as strong evidence (Kass and Raftery 1995)

Climb = Callable[[int, str], tuple[float, np.ndarray]]  # number of a start, shape: log-likelihood, responsibilities


class MixturePath(NamedTuple):
    """At each size, NaN where rows are too few: BIC and ICL of the best shape, and the labels of the best by BIC."""

    sizes: list[int]
    bic: np.ndarray
    icl: np.ndarray
    labels: list[np.ndarray]

    def by_bic(self) -> int:
        """The fewest components that no larger number beats by strong evidence."""
        return self.sizes[int(np.flatnonzero(self.bic <= np.nanmin(self.bic) + STRONG)[0])]

    def by_icl(self) -> int:
        return self.sizes[int(np.nanargmin(self.icl))]


class _Fit(NamedTuple):
    bic: float
    icl: float
    labels: np.ndarray


def mixture_path(X: np.ndarray, sizes: Sequence[int], seed: int) -> MixturePath:
    """Fit every shape at every size to the rows, each column in units of its spread; sizes are in rising order.

    EM climbs from two starts: the clusters of K-means, and those of the mixture before with one of them cut in two.
    The second finds small clusters beside large ones, which K-means would rather cut.
    """
    rows = in_few_axes(X)
    best: list[_Fit] = []
    for size in sizes:
        if size > 1 and size * ROWS_PER_COMPONENT > len(rows):
            best.append(_Fit(np.nan, np.nan, np.zeros(len(rows), dtype=int)))
            continue
        starts = [_start(X, rows, size, seed)]
        if best and size > 1:
            starts.append(means_of(rows, cut_one(rows, best[-1].labels, size)))
        best.append(_best_fit(rows, starts))
    return MixturePath(
        list(sizes), np.array([f.bic for f in best]), np.array([f.icl for f in best]), [f.labels for f in best]
    )


def _best_fit(X: np.ndarray, starts: Sequence[np.ndarray]) -> _Fit:
    """The best BIC, with its labels, and the best ICL, of all shapes from all starts."""
    climb = _climber(X, starts)
    tasks = [(start, shape) for start in range(len(starts)) for shape in SHAPES]
    fits = in_parallel(lambda i: _fit(climb, X.shape[1], *tasks[i]), len(tasks), "mixtures")
    bic, _, labels = min(fits, key=lambda fit: fit[0])
    return _Fit(bic, min(icl for _, icl, _ in fits), labels)


def _start(X: np.ndarray, rows: np.ndarray, size: int, seed: int) -> np.ndarray:
    """Means of the clusters of K-means, in the units of X or in those of `rows`: the ones with the smaller det W.

    Unit spread lets many columns without clusters outvote few with them; the units of X may do so too. The determinant
    of the covariance within clusters knows no units (Friedman and Rubin 1967).
    """
    labels = [_quick_labels(table, size, seed) for table in (rows, X)]
    return means_of(rows, min(labels, key=lambda z: log_det_within(rows, z)))


def _quick_labels(X: np.ndarray, size: int, seed: int) -> np.ndarray:
    model = KMeans(size, random_state=seed)
    labels = (quick_fit(model, X, seed) or model.fit(X)).labels_
    return np.unique(labels, return_inverse=True)[1]


def log_det_within(X: np.ndarray, labels: np.ndarray) -> float:
    """log det of the covariance within clusters, no direction taken for narrower than the least variance."""
    within = X - means_of(X, labels)[labels]
    return float(np.linalg.slogdet(within.T @ within / len(X) + LEAST_VARIANCE * np.eye(X.shape[1]))[1])


def cut_one(X: np.ndarray, labels: np.ndarray, size: int) -> np.ndarray:
    """Labels with as many clusters as asked for: again and again the one that is least like one Gaussian is halved.

    Halves of a Gaussian keep 1 - 2/π of the variance along its longest axis; less speaks for two, the more rows say it.
    """
    labels = np.unique(labels, return_inverse=True)[1]
    while labels.max() + 1 < size:
        cuts = [_halves(X[labels == c]) for c in range(labels.max() + 1)]
        worst = int(np.argmax([gain for gain, _ in cuts]))
        if not np.isfinite(cuts[worst][0]):
            break
        right = np.flatnonzero(labels == worst)[cuts[worst][1]]
        labels[right] = labels.max() + 1
    return labels


def _halves(X: np.ndarray) -> tuple[float, np.ndarray]:
    """What is gained by cutting the rows across their longest axis, and which of them lie on the one side."""
    centred = X - X.mean(axis=0)
    if len(X) < 2 * ROWS_PER_COMPONENT or not centred.any():
        return -np.inf, np.zeros(len(X), dtype=bool)
    along = centred @ np.linalg.eigh(centred.T @ centred)[1][:, -1]
    order = np.argsort(along, kind="stable")
    left, n = np.cumsum(along[order])[:-1], np.arange(1, len(X))
    between = left**2 / n + left**2 / (len(X) - n)  # the sums of both sides are opposite
    cut = int(np.argmax(between)) + 1
    kept = 1 - between[cut - 1] / (along @ along)
    side = np.zeros(len(X), dtype=bool)
    side[order[cut:]] = True
    return len(X) * float(np.log((1 - 2 / np.pi) / max(kept, 1e-12))), side


def means_of(X: np.ndarray, labels: np.ndarray) -> np.ndarray:
    counts = np.bincount(labels)
    return np.stack([np.bincount(labels, column) for column in X.T], axis=1) / counts[:, None]


def in_few_axes(X: np.ndarray) -> np.ndarray:
    """Columns of unit spread, constant ones left out; of very many columns their principal components.

    Those are the axes along which the rows vary most in their own units, as the model sees them: among many columns of
    unit spread those with clusters would not lead.
    """
    X = np.asarray(X, dtype=np.float64)
    scale = np.abs(X - X.mean(axis=0)).max(axis=0, initial=0.0)
    X = (X[:, scale > 0] - X[:, scale > 0].mean(axis=0)) / scale[scale > 0]
    if X.shape[1] <= MOST_FEATURES:
        return X / X.std(axis=0) if X.size else np.zeros((len(X), 1))
    X = X * (scale[scale > 0] / scale.max())
    X = X / np.sqrt((X**2).mean())
    left, spread, _ = np.linalg.svd(X, full_matrices=False)
    return left[:, :MOST_FEATURES] * spread[:MOST_FEATURES]


def _fit(climb: Climb, d: int, start: int, shape: str) -> tuple[float, float, np.ndarray]:
    """BIC, ICL and labels of the mixture in d dimensions that EM reaches from a start."""
    log_likelihood, q = climb(start, shape)
    k, n = q.shape
    if q.sum(axis=1).min() < (max(ROWS_PER_COMPONENT, d + 1) if shape == "full" else ROWS_PER_COMPONENT):
        return np.inf, np.inf, q.argmax(axis=0)  # in d dimensions d rows make a likelihood without bound
    free = k * d + k - 1 + covariance_count(shape, k, d)
    bic = float(-2 * log_likelihood + free * np.log(n))
    return bic, bic - 2 * float(xlogy(q, q).sum()), q.argmax(axis=0)


def _climber(X: np.ndarray, starts: Sequence[np.ndarray]) -> Climb:
    """EM from the clusters around the centres of any of the starts."""
    return _compiled(X, starts) if _has_compiler() else partial(_interpreted, X, starts)


def covariance_count(shape: str, k: int, d: int) -> int:
    pairs = d * (d + 1) // 2
    return {"spherical": k, "diag": k * d, "tied": pairs, "full": k * pairs, "tied diag": d}[shape]


def _compiled(X: np.ndarray, starts: Sequence[np.ndarray]) -> Climb:
    """Moments of the rows and the clusters of a start are the same for all shapes."""
    from unmix.validation.fits.small_mixture import climb_from, nearest_centers

    columns = np.ascontiguousarray(X.T)
    gram, shares = columns @ columns.T, [nearest_centers(columns, np.ascontiguousarray(start)) for start in starts]

    def climb(start: int, shape: str) -> tuple[float, np.ndarray]:
        return climb_from(columns, gram, shares[start], SHAPES.index(shape), MAX_ITER, TOL, LEAST_VARIANCE)

    return climb


def _interpreted(X: np.ndarray, starts: Sequence[np.ndarray], start: int, shape: str) -> tuple[float, np.ndarray]:
    centers = starts[start]
    if shape == "tied diag":
        return _common_axes(X, centers)
    model = GaussianMixture(
        len(centers), covariance_type=shape, means_init=centers, tol=TOL, max_iter=MAX_ITER, reg_covar=LEAST_VARIANCE
    ).fit(X)
    return float(model.score_samples(X).sum()), model.predict_proba(X).T


def _common_axes(X: np.ndarray, centers: np.ndarray) -> tuple[float, np.ndarray]:
    """EM with one diagonal covariance for all components, which `GaussianMixture` does not have."""
    nearest = ((X[None] - centers[:, None]) ** 2).sum(axis=2).argmin(axis=0)
    q, before = np.where(nearest == np.arange(len(centers))[:, None], 1.0, 1e-9), -np.inf
    for _ in range(MAX_ITER):
        mass = q.sum(axis=1, keepdims=True)
        means = q @ X / mass
        variance = np.maximum((X**2).mean(axis=0) - (mass * means**2).sum(axis=0) / len(X), LEAST_VARIANCE)
        squares = ((X[None] - means[:, None]) ** 2 / variance).sum(axis=2)
        log_joint = np.log(mass / len(X)) - 0.5 * (squares + np.log(2 * np.pi * variance).sum())
        log_density = logsumexp(log_joint, axis=0)
        q, total = np.exp(log_joint - log_density), float(log_density.sum())
        if total - before < TOL * len(X):
            break
        before = total
    return total, q


def _has_compiler() -> bool:
    import numba

    return not numba.config.DISABLE_JIT
