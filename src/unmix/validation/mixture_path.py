"""Gaussian mixtures of several shapes at every number of components: how many Gaussians explain the rows?

BIC(k) = -2 log L + κ log n                          the fewest components that describe the density
ICL(k) = BIC(k) - 2 Σ_ic q_ic log q_ic               … and of which each row belongs clearly to one

Both are taken at the best of the shapes, as in Fraley and Raftery (2002); ICL is that of Biernacki, Celeux and
Govaert (2000). Shapes matter: round components with a variance each need few rows, full ones follow long clusters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import xlogy

from unmix.cluster import KMeans
from unmix.density import GaussianMixture
from unmix.validation.refit import in_parallel

SHAPES = ("spherical", "diag", "tied", "full")
MOST_FEATURES = 20  # beyond, the leading principal components stand for the rows
ROWS_PER_COMPONENT = 4  # with fewer, a component describes noise
STRONG = 6.0  # difference of BIC that counts as strong evidence (Kass and Raftery 1995)


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


def mixture_path(X: np.ndarray, sizes: Sequence[int], seed: int) -> MixturePath:
    """Fit every shape at every size to the rows, each column in units of its spread."""
    rows = in_few_axes(X)
    enough = [size == 1 or size * ROWS_PER_COMPONENT <= len(rows) for size in sizes]

    def fit(i: int) -> tuple[float, float, np.ndarray]:
        if not enough[i]:
            return np.nan, np.nan, np.zeros(len(rows), dtype=int)
        centers = KMeans(sizes[i], random_state=seed).fit(rows).cluster_centers_
        fits = [_criteria(rows, centers, shape) for shape in SHAPES]
        bic, _, labels = min(fits, key=lambda fit: fit[0])
        return bic, min(icl for _, icl, _ in fits), labels

    bic, icl, labels = zip(*in_parallel(fit, len(sizes), "mixtures"))
    return MixturePath(list(sizes), np.array(bic), np.array(icl), list(labels))


def in_few_axes(X: np.ndarray) -> np.ndarray:
    """Columns of unit spread, constant ones left out; of very many columns their principal components."""
    X = np.asarray(X, dtype=np.float64)
    scale = np.abs(X - X.mean(axis=0)).max(axis=0, initial=0.0)
    X = (X[:, scale > 0] - X[:, scale > 0].mean(axis=0)) / scale[scale > 0]
    X = X / X.std(axis=0) if X.size else np.zeros((len(X), 1))
    if X.shape[1] <= MOST_FEATURES:
        return X
    left, spread, _ = np.linalg.svd(X, full_matrices=False)
    return left[:, :MOST_FEATURES] * spread[:MOST_FEATURES]


def _criteria(X: np.ndarray, centers: np.ndarray, shape: str) -> tuple[float, float, np.ndarray]:
    """BIC, ICL and labels of the mixture that EM reaches from the clusters around `centers`."""
    model = GaussianMixture(
        len(centers), covariance_type=shape, means_init=centers, tol=1e-4, max_iter=200, reg_covar=1e-4
    ).fit(X)
    q = model.predict_proba(X)
    bic = float(model.bic(X))
    return bic, bic - 2 * float(xlogy(q, q).sum()), q.argmax(axis=1)
