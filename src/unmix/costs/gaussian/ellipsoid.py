"""Distances and moments of rows under Gaussians with full covariances, each by the route that suits its shape.

One covariance shared by all components: whiten the rows once. Few rows: plain kernels. Few columns: blocked ones. Many
columns: one matrix product per component. Rows with missing entries: their own kernel, pattern by pattern.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.costs.gaussian import few_rows
from unmix.costs.gaussian.mixture import Mixture
from unmix.costs.nearest.centers import JIT_DISABLED

MANY_COLUMNS = 64  # from here on a matrix product over the full square is faster than kernels over the triangle


def dense(block: Any, precise: bool = True) -> np.ndarray:
    """Rows as an array, in float64 if so asked."""
    rows = block.toarray() if hasattr(block, "toarray") else block
    return np.ascontiguousarray(rows, dtype=np.float64 if precise else rows.dtype)


def distances(block: Any, mixture: Mixture, missing: bool) -> np.ndarray:
    """(k, rows): -log π_c N(x_i; u_c, Σ_c), of the observed part where entries are missing."""
    X = dense(block, missing or mixture.precise or few_rows.is_small(block))
    out = np.empty((len(mixture.weights), len(X)), X.dtype)
    if not missing or (there := ~np.isnan(X).any(1)).all():
        _add_complete(X, mixture, out)
        return out
    for rows, add in ((there, _add_complete), (~there, _add_incomplete)):
        part = np.empty((len(out), int(rows.sum())))
        add(X[rows], mixture, part)
        out[:, rows] = part
    return out


def compiled(columns: int) -> bool:
    return columns < MANY_COLUMNS and not JIT_DISABLED


def _add_complete(X: np.ndarray, mixture: Mixture, out: np.ndarray) -> None:
    if len(mixture.whitening) == 1:
        _add_shared(X, mixture, out)
        return
    if few_rows.is_small(X) and compiled(X.shape[1]):
        out[:] = few_rows.half_norms(X, mixture.means, mixture.whitening) - mixture.log_constants[:, None]
        return
    W, means = mixture.whitening.astype(X.dtype), mixture.means.astype(X.dtype)
    constants = mixture.log_constants.astype(X.dtype)
    if compiled(X.shape[1]):
        from unmix.costs.gaussian.ellipsoid_distances import find_distances

        find_distances(X, means, W, constants, out)
    else:
        for c in range(len(W)):
            Y = (X - means[c]) @ W[c]
            out[c] = 0.5 * np.einsum("ij,ij->i", Y, Y) - constants[c]


def _add_shared(X: np.ndarray, mixture: Mixture, out: np.ndarray) -> None:
    Y, means = dense(X) @ mixture.whitening[0], mixture.means @ mixture.whitening[0]
    if few_rows.is_small(X):
        out[:] = few_rows.half_norms(Y, means, np.ones_like(means)) - mixture.log_constants[:, None]
        return
    from unmix.costs.gaussian.axis_parallel_tiles import add_distances

    out[:] = -mixture.log_constants[:, None]
    add_distances(Y, means, np.ones_like(means), np.zeros_like(means), out)


def _add_incomplete(X: np.ndarray, mixture: Mixture, out: np.ndarray) -> None:
    from unmix.costs.gaussian.ellipsoid_missing import find_distances

    with np.errstate(divide="ignore"):
        out[:] = find_distances(X, mixture.means, mixture.covariances) - np.log(mixture.weights)[:, None]


def moments(
    block: Any, q: np.ndarray, mixture: Mixture, missing: bool, estimated: bool
) -> tuple[np.ndarray, np.ndarray | None]:
    """Σ q (x - u) and, for a covariance that is estimated, Σ q (x - u)(x - u)ᵀ; q (k, rows)."""
    X, d = dense(block, missing or mixture.precise or few_rows.is_small(block)), block.shape[1]
    first, second = np.zeros((len(q), d)), np.zeros((len(mixture.covariances), d, d))
    if not missing or (there := ~np.isnan(X).any(1)).all():
        _sum_complete(X, q, mixture, first, second, estimated)
    else:
        _sum_complete(X[there], np.ascontiguousarray(q[:, there]), mixture, first, second, estimated)
        _sum_incomplete(X[~there], q[:, ~there], mixture, first, second)
    return first, second if estimated else None


def _sum_complete(
    X: np.ndarray, q: np.ndarray, mixture: Mixture, first: np.ndarray, second: np.ndarray, estimated: bool
) -> None:
    if len(second) == 1 or not estimated:
        _sum_shared(dense(X), q.astype(np.float64), mixture.means, first, second, estimated)
    else:
        add_moments(X, q.astype(X.dtype, copy=False), mixture.means.astype(X.dtype), first, second)


def add_moments(X: np.ndarray, q: np.ndarray, means: np.ndarray, first: np.ndarray, second: np.ndarray) -> None:
    """first[c] += Σ q (x - u) and second[c] += Σ q (x - u)(x - u)ᵀ; all in the precision of X, q (k, rows)."""
    if few_rows.is_small(X) and compiled(X.shape[1]):
        for total, part in zip((first, second), few_rows.moments(X, q, means, diagonal=False)):
            total += part
        return
    if compiled(X.shape[1]):
        from unmix.costs.gaussian import ellipsoid_moments

        ellipsoid_moments.add_moments(X, q, means, first, second)
        return
    for c, mean in enumerate(means):
        Z = X - mean
        weighted = Z * q[c][:, None]
        first[c] += weighted.sum(0, dtype=np.float64)
        second[c] += weighted.T @ Z


def _sum_shared(
    X: np.ndarray, q: np.ndarray, means: np.ndarray, first: np.ndarray, second: np.ndarray, estimated: bool
) -> None:
    mass, sums = q.sum(1)[:, None], q @ X
    first += sums - mass * means
    if estimated:
        # Σ_c q_c (x - u_c)(x - u_c)ᵀ = w x xᵀ - Σ_c (s_c u_cᵀ + u_c s_cᵀ - N_c u_c u_cᵀ),  w = Σ_c q_c, s = q x
        cross = sums.T @ means
        second[0] += (X * q.sum(0)[:, None]).T @ X - cross - cross.T + (mass * means).T @ means


def _sum_incomplete(X: np.ndarray, q: np.ndarray, mixture: Mixture, first: np.ndarray, second: np.ndarray) -> None:
    from unmix.costs.gaussian import ellipsoid_missing

    ellipsoid_missing.add_moments(X, q, mixture.means, mixture.covariances, first, second)
