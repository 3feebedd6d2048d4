"""Principal directions of a table by the route that its shape makes cheapest.

    X - 1 meanᵀ = V diag(s) U,   U Uᵀ = I,   s_1 ≥ s_2 ≥ …   (rows weighted by √w; mean = 0 where not centred)

Rows of U maximise the variance of X Uᵀ and minimise the error of X Uᵀ U at once (Eckart & Young, Psychometrika 1,
1936).  Squares over- or underflow long before the numbers do, so extreme tables are scaled by a power of two.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.principal import covariance, gram, randomized
from unmix.algorithms.principal.directions import Directions
from unmix.algorithms.principal.double_blocks import DoubleBlocks
from unmix.core.blocks import RowBlocks
from unmix.core.linalg import complete_basis, fix_signs, power_of_two

SAMPLE = 1_000  # rows whose median is the middle of most
FAR_DISTANCE = 1e3  # times the median distance from there: such a row is far
WEAK_FACTOR = 100.0  # times the rounding: such directions have lost digits to it
ROUNDING_SHARE = 1e-2  # share of the rounding of the whole table below which that of most rows needs double precision

ROUTES = {"covariance": covariance.directions, "gram": gram.directions, "randomized": randomized.directions}


class Spectrum(NamedTuple):
    """Singular values and total spread belong to ``scale * X``, where their squares are safe; the mean to X."""

    weight: float
    mean: np.ndarray
    components: np.ndarray
    singular: np.ndarray
    spread: float  # Σ w ||scale x - mean||²
    scale: float
    residual: float
    spreads: np.ndarray  # the same column by column, about the mean


class MissingValues(ValueError):
    """The table holds NaN, for which a spectrum is not defined."""


class InfiniteValues(ValueError):
    """The table holds infinity."""


def choose_solver(n: int, d: int, k: int) -> str:
    """Few vectors of a table that is large both ways: by products. Else the smaller of the two square matrices."""
    small = min(n, d)
    if small > 2000 and (20 * (k + 10) < small or small > 20_000):
        return "randomized"
    return smaller_square(n, d)


def smaller_square(n: int, d: int) -> str:
    return "covariance" if d <= n else "gram"


def spectrum(
    X: RowBlocks,
    k: int,
    *,
    weights: np.ndarray | None = None,
    centred: bool = True,
    solver: str = "auto",
    max_iter: int = 100,
    seed: int = 0,
) -> Spectrum:
    """The k leading directions of X. Raises `MissingValues` where X holds NaN.

    ``solver`` is a route, "full" for the smaller square matrix, or "auto".
    """
    chosen = {"auto": choose_solver(*X.shape, k), "full": smaller_square(*X.shape)}.get(solver, solver)
    route = ROUTES[chosen]
    scale = 1.0
    found = route(X, k, weights=weights, centred=centred, scale=scale, max_iter=max_iter, seed=seed)
    if not found.moments.in_range(X.dtype):
        extent = X.reduce(measure)
        if extent.infinite:
            raise InfiniteValues(f"Input X contains infinity ({extent.infinite} entries); drop or replace them first")
        if extent.missing:
            raise MissingValues(f"{extent.missing} of {X.shape[0] * X.shape[1]} entries are NaN")
        scale = power_of_two(extent.largest)
        if scale != 1.0:
            found = route(X, k, weights=weights, centred=centred, scale=scale, max_iter=max_iter, seed=seed)
    noise = rounding(X.dtype, X, float(found.singular[0]))
    if X.dtype == np.float32 and (found.singular[:k] <= WEAK_FACTOR * noise).any():
        bulk = rounding(X.dtype, X, spread_of_most(X, weights, scale, centred))
        if bulk < ROUNDING_SHARE * noise:
            exact = DoubleBlocks(X)
            found = route(exact, k, weights=weights, centred=centred, scale=scale, max_iter=max_iter, seed=seed)
            noise = max(bulk, rounding(exact.dtype, X, float(found.singular[0])))
    return finish(found, k, scale, noise, centred)


def rounding(dtype: np.dtype[Any], X: RowBlocks, largest: float) -> float:
    """Singular values up to this are rounding of a table of which the ``largest`` is known."""
    return 10 * float(np.finfo(dtype).eps) * float(np.sqrt(min(X.shape))) * largest


def spread_of_most(X: RowBlocks, weights: np.ndarray | None, scale: float, centred: bool) -> float:
    """√ Σ w ‖x - c‖² without rows far beyond the median one; c is the median of a few rows, which no far row moves."""
    n = X.shape[0]
    few = X.take(np.arange(0, n, max(1, n // SAMPLE))).astype(np.float64) * scale
    centre = np.median(few, axis=0) if centred else np.zeros(X.shape[1])
    squares = X.map(squared_lengths, centre, scale)
    near = squares <= FAR_DISTANCE**2 * np.median(squares)
    each = np.ones(n) if weights is None else weights
    return float(np.sqrt(each[near] @ squares[near]))


def squared_lengths(block: Any, rows: None, centre: np.ndarray, scale: float) -> np.ndarray:
    dense = block.toarray() if hasattr(block, "tocsr") else block
    away = dense.astype(np.float64) * scale - centre
    return np.asarray(np.einsum("ij,ij->i", away, away))


class Extent(NamedTuple):
    """The largest absolute entry, and how many entries are NaN and infinite."""

    largest: float
    missing: int
    infinite: int

    def merge(self, other: Extent) -> Extent:
        largest = max(self.largest, other.largest)
        return Extent(largest, self.missing + other.missing, self.infinite + other.infinite)


def measure(block: Any, rows: Any) -> Extent:
    values = block.data if hasattr(block, "tocsr") else block
    if values.size == 0:
        return Extent(0.0, 0, 0)
    sizes = np.abs(values)
    largest = float(np.nan_to_num(np.fmax.reduce(sizes, axis=None)))
    return Extent(largest, int(np.isnan(sizes).sum()), int(np.isinf(sizes).sum()))


def finish(found: Directions, k: int, scale: float, noise: float, centred: bool) -> Spectrum:
    """One sign a component, and directions without variance chosen by rule rather than by rounding (``noise``)."""
    weight, mean, spread = found.moments.weight, found.moments.mean, float(found.moments.spread.sum())
    if not centred:
        spread += weight * float(mean @ mean)
    singular = np.zeros(k)
    singular[: len(found.singular)] = found.singular[:k]
    rank = int((singular > noise).sum())
    singular[rank:] = 0.0
    components = complete_basis(fix_signs(found.components[:rank]), k)
    return Spectrum(weight, mean / scale, components, singular, spread, scale, found.residual, found.moments.spread)
