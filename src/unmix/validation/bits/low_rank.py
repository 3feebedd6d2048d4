"""Normal laws of few directions with gaps, N(x; u, W Wᵀ + Ψ): densities, codes and their moments, by k × k matrices.

    M = I + WᵀΨ⁻¹W,   |W Wᵀ + Ψ| = |Ψ| |M|,   (W Wᵀ + Ψ)⁻¹ = Ψ⁻¹ - Ψ⁻¹W M⁻¹ WᵀΨ⁻¹

of the columns a row has; those it lacks count for nothing, which is the exact density of the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Cells(NamedTuple):
    """Rows with 0 for gaps, and where there are values: (n, d), or (1, d) of ones if nowhere is a gap."""

    values: np.ndarray
    seen: np.ndarray

    def take(self, rows: np.ndarray) -> Cells:
        return Cells(self.values[rows], self.seen if len(self.seen) == 1 else self.seen[rows])


class Normal(NamedTuple):
    """Mean (d,), directions (d, k) and the variances beside them (d,)."""

    mean: np.ndarray
    directions: np.ndarray
    noise: np.ndarray


class Codes(NamedTuple):
    """Of every row its log-density, and mean (n, k) and covariance (n or 1, k, k) of its codes."""

    log_density: np.ndarray
    mean: np.ndarray
    covariance: np.ndarray


def cells_of(array: np.ndarray) -> Cells:
    seen = np.isfinite(array)
    return Cells(np.where(seen, array, 0.0), np.ones((1, array.shape[1])) if seen.all() else seen.astype(float))


def log_sum(parts: np.ndarray) -> np.ndarray:
    """log Σ_c exp(parts[c]), finite parts."""
    top = parts.max(axis=0)
    return np.asarray(top + np.log(np.exp(parts - top).sum(axis=0)))


def codes_of(cells: Cells, law: Normal) -> Codes:
    """Posterior of standard normal codes s in x = u + W s + noise."""
    W, (d, k) = law.directions, law.directions.shape
    scaled = W / law.noise[:, None]
    away = (cells.values - law.mean) * cells.seen
    products = (scaled[:, :, None] * W[:, None, :]).reshape(d, k * k)
    M = np.eye(k) + (cells.seen @ products).reshape(len(cells.seen), k, k)
    covariance = np.linalg.inv(M)
    pulls = away @ scaled
    codes = pulls @ covariance[0] if len(M) == 1 else (covariance @ pulls[:, :, None])[:, :, 0]
    square = (away**2) @ (1 / law.noise) - np.einsum("ik,ik->i", pulls, codes)
    volume = cells.seen @ np.log(2 * np.pi * law.noise) + np.linalg.slogdet(M)[1]
    return Codes(-0.5 * (square + volume), codes, covariance)


def regress(
    cells: Cells,
    shares: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    prior: tuple[float, np.ndarray],
    non_negative: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients (d, k) of codes with these moments under weighted rows, and the variances they leave.

    `prior` is a number of rows and the variances that they would have had.
    """
    n, k = first.shape
    weight = shares[:, None] * cells.seen if len(cells.seen) > 1 else shares[:, None]
    G = (weight.T @ second.reshape(n, k * k)).reshape(-1, k, k) + 1e-9 * np.eye(k)
    H = (shares[:, None] * cells.values).T @ first  # gaps are 0 and add nothing
    coefficients = np.linalg.solve(np.broadcast_to(G, (len(H), k, k)), H[:, :, None])[:, :, 0]
    if non_negative:
        coefficients = _descend(np.maximum(coefficients, 0.0), np.broadcast_to(G, (len(H), k, k)), H)
    fitted = (G @ coefficients[:, :, None])[:, :, 0]
    left = shares @ cells.values**2 + np.einsum("jk,jk->j", coefficients, fitted - 2 * H)
    rows, variance = prior
    return coefficients, (np.maximum(left, 0.0) + rows * variance) / (weight.sum(axis=0) + rows)


def _descend(coefficients: np.ndarray, G: np.ndarray, H: np.ndarray, sweeps: int = 10) -> np.ndarray:
    """Least squares over coefficients ≥ 0, one after the other."""
    for _ in range(sweeps):
        for s in range(H.shape[1]):
            slope = H[:, s] - np.einsum("jk,jk->j", G[:, s], coefficients)
            coefficients[:, s] = np.maximum(coefficients[:, s] + slope / G[:, s, s], 0.0)
    return coefficients


def with_one(codes: Codes) -> tuple[np.ndarray, np.ndarray]:
    """First and second moments of (s, 1)."""
    n, k = codes.mean.shape
    first = np.column_stack([codes.mean, np.ones(n)])
    second = first[:, :, None] * first[:, None, :]
    second[:, :k, :k] += codes.covariance
    return first, second
