"""Independent sources: log p(x) = log |B| + Σ_s log f_s(b_s · x) with B by FastICA, f_s mixtures of few normal laws."""

from __future__ import annotations

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from unmix.core.warning_filters import without_warnings
from unmix.validation.bits.choice import Choice, Lesson, best_of, better, independent, tried
from unmix.validation.bits.normals import fit_normals
from unmix.validation.bits.scales import Scale

LEAST_SPREAD = 0.03
ROWS_A_SOURCE = 10


def sources(lesson: Lesson) -> Choice:
    d = lesson.scales.scales[0].cells.values.shape[1]
    first = independent(lesson)
    if d * ROWS_A_SOURCE > len(lesson.learn):
        return first
    scales = lesson.scales.scales[-1:] if lesson.brief else lesson.scales.scales
    found = [tried(lesson, scale, (d,), unmixed) for scale in scales]
    return best_of([first, *(choice for choice in found if better(choice, first))])


def unmixed(scale: Scale, size: tuple[int, ...], rows: np.ndarray, seed: int) -> np.ndarray:
    """Log-densities of all rows under the sources of some."""
    from unmix.separation import FastICA  # loaded where sources are asked for, not with every criterion
    from unmix.separation.unmixing import GaussianSourcesWarning

    X = scale.cells.values
    if np.linalg.matrix_rank(X[rows] - X[rows].mean(axis=0)) < size[0]:  # fewer directions than sources: no density
        return np.full(len(X), -np.inf)
    # Normal sources have no direction to converge to, and any will do.
    with without_warnings(ConvergenceWarning, GaussianSourcesWarning):
        model = FastICA(size[0], random_state=seed).fit(X[rows])
    B = np.asarray(model.components_, dtype=np.float64)
    S = (X - X[rows].mean(axis=0)) @ B.T
    spread = S[rows].std(axis=0)
    S, B = S / spread, B / spread[:, None]
    laws, _ = fit_normals(S[rows], np.full(size[0], LEAST_SPREAD))
    return np.asarray(laws.log_density(S).sum(axis=1) + np.linalg.slogdet(B)[1])
