"""Covariances of channels with themselves some steps earlier,

    (C_τ)_ij = mean over t of (x_i(t) - m_i) (x_j(t - τ) - m_j),   m the mean of each channel,

in one pass over the rows, which are moments in order. What lies in one leaf is added up there; pairs across the edge
of two leaves, at most τ of them an edge, are added from the rows around it. A missing entry leaves out its pairs.
Their transform is the spectrum of the channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.core.plan import plan_leaves

DENSITY = 2  # bands a lag: as many as a taper can tell apart, and as many between them


class Sums(NamedTuple):
    first: np.ndarray  # (d,)
    values: np.ndarray  # (d,) how many


class Products(NamedTuple):
    products: np.ndarray  # (m, d, d)
    pairs: np.ndarray  # (m, d, d), or (m, 1, 1) where nothing is missing


def lagged_covariances(X: RowBlocks, lags: Sequence[int], missing: bool) -> tuple[np.ndarray, np.ndarray]:
    """(C_τ for each lag, mean); a pair of channels never seen together at a lag gets 0."""
    sums = X.reduce(_sums)
    mean = sums.first / sums.values
    total = X.reduce(_products, mean, tuple(lags), missing)
    products, pairs = total.products, total.pairs
    for start, stop in list(plan_leaves(*X.shape))[1:]:
        across = _across(X, start, stop, mean, lags, missing)
        products, pairs = products + across.products, pairs + across.pairs
    return products / np.maximum(pairs, 1), mean


def spectral_matrices(covariances: np.ndarray, taper: np.ndarray, n: int) -> np.ndarray:
    """The spectrum of the channels at frequencies from 0 to π, from their symmetric covariances at lags 0, 1, …, L:

        S(f) = C_0 + 2 Σ_τ a_τ (1 - τ/n) C_τ cos(f τ).

    The mean over all n moments and Bartlett's taper a_τ = 1 - τ/(L+1) make every one of them positive.
    """
    lags, bands = np.arange(len(covariances)), DENSITY * len(covariances)
    frequencies = (np.arange(bands) + 0.5) * np.pi / bands
    shares = np.concatenate([[1.0], 2 * taper]) * (1 - lags / n)
    return np.tensordot(np.cos(np.outer(frequencies, lags)) * shares, covariances, 1)


def _sums(block: np.ndarray, rows: None) -> Sums:
    there = ~np.isnan(block)
    return Sums(np.where(there, block, 0.0).sum(0, dtype=np.float64), there.sum(0).astype(np.float64))


def _products(block: np.ndarray, rows: None, mean: np.ndarray, lags: tuple[int, ...], missing: bool) -> Products:
    return _sum_pairs(block, mean, [(lag, lag, len(block)) for lag in lags], missing)


def _across(X: RowBlocks, start: int, stop: int, mean: np.ndarray, lags: Sequence[int], missing: bool) -> Products:
    """Pairs of a row from ``start`` on and a row before it."""
    before, after = min(max(lags), start), min(max(lags), stop - start)
    around = X.take(np.arange(start - before, start + after))
    spans = [(lag, max(before, lag), before + min(lag, after)) for lag in lags]
    return _sum_pairs(around, mean, spans, missing)


def _sum_pairs(rows: np.ndarray, mean: np.ndarray, spans: list[tuple[int, int, int]], missing: bool) -> Products:
    """For each (lag, first, last): Σ of x(t) x(t - lag)ᵀ over first ≤ t < last, and the number of pairs."""
    Y = rows.astype(np.float64) - mean
    there = (~np.isnan(Y)).astype(np.float64) if missing else np.ones((len(Y), 1))
    Y = np.nan_to_num(Y, copy=False) if missing else Y

    def sum_of(Z: np.ndarray) -> np.ndarray:
        parts = [
            Z[first:last].T @ Z[first - lag : max(last - lag, 0)] if last > first else None
            for lag, first, last in spans
        ]
        return np.stack([np.zeros((Z.shape[1], Z.shape[1])) if part is None else part for part in parts])

    return Products(sum_of(Y), sum_of(there))
