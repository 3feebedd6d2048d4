"""How well a model fitted on some rows speaks of others, row by row; higher is better.

likelihood   log p(x): the model's own, or that of the density its cost stands for (`density`)
error        -|x - x̂|² per column: x̂ from inverse_transform, or the mean of the cluster the row is put in
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.validation.evidence.density import low_rank_gaussian, multinomials, round_gaussians, turned_back
from unmix.validation.fits.refit import labels_of, transfer

LOSSES = ("auto", "likelihood", "error")


def held_out_scores(model: Any, X: np.ndarray, X_new: np.ndarray, loss: str, weight: np.ndarray | None) -> np.ndarray:
    """Scores of the rows X_new; `model` is fitted on X."""
    if loss == "error":
        return -mean_square(X_new - rebuild(model, X, X_new, weight))
    if hasattr(model, "score_samples"):
        return np.asarray(model.score_samples(X_new), dtype=np.float64)
    w = np.ones(len(X)) if weight is None else weight
    if hasattr(model, "inverse_transform"):
        return low_rank_gaussian(model, X, w).log_density(X_new)
    labels = labels_of(model, X)
    if hasattr(model, "cluster_distributions_"):
        return multinomials(model.cluster_distributions_, X, labels, w).log_density(X_new)
    return round_gaussians(X, labels, w).log_density(X_new)


def rebuild(model: Any, X: np.ndarray, X_new: np.ndarray, weight: np.ndarray | None = None) -> np.ndarray:
    """Rows as the model sees them: from their codes, or the mean of their cluster."""
    if hasattr(model, "inverse_transform") and hasattr(model, "transform"):
        return turned_back(model, model.transform(X_new))
    labels = labels_of(model, X)
    w = np.ones(len(X)) if weight is None else weight
    everywhere = np.average(X, axis=0, weights=w)
    found = np.tile(everywhere, (len(X_new), 1)).astype(np.float64)
    carried = transfer(model, X, labels, X_new)
    for name in np.unique(carried[carried != -1]):
        members = (labels == name) & (w > 0)
        if members.any():
            found[carried == name] = np.average(X[members], axis=0, weights=w[members])
    return found


def mean_square(residual: np.ndarray) -> np.ndarray:
    """Mean over the observed columns of each row."""
    seen = ~np.isnan(residual)
    return (np.where(seen, residual, 0.0) ** 2).sum(axis=1) / np.maximum(seen.sum(axis=1), 1)
