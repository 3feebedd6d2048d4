"""The width of a kernel: as given, by rule, or searched for."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.kernel_sums.frame import medians, row_lengths
from unmix.algorithms.kernel_sums.profile import RADIAL, variance
from unmix.algorithms.kernel_sums.shape import Shape, measure_shape
from unmix.algorithms.kernel_sums.width import Splits, make_splits, scott, search_rows, search_width, silverman
from unmix.algorithms.rounded_values.rounding import Rounding, find_rounding, single_rows

FACTORS = {"scott": scott, "silverman": silverman}
RULES = ("likelihood", "k-fold", *FACTORS)
BOX = math.sqrt(12)  # side of a box of variance 1


class Bandwidth(NamedTuple):
    root: np.ndarray  # (d, d) L, of the covariance L Lᵀ of the kernel
    width: np.ndarray  # (d,)
    factor: float
    factors: np.ndarray  # those tried
    log_likelihoods: np.ndarray
    constant: int  # directions in which the rows do not vary, where the width is a guess


def choose_bandwidth(
    bandwidth: Any,
    rows: np.ndarray,
    weights: np.ndarray,
    kernel: str,
    shape: str | None,
    cv: int | Splits,
    seed: int,
    name: str,
) -> Bandwidth:
    """For rows (n, d) and weights (n,), all positive; ``name`` is what the user calls the width."""
    side = width_of(kernel, rows.shape[1])
    if not isinstance(bandwidth, str):
        return as_given(given_root(bandwidth, rows.shape[1], kernel, name), side)
    if bandwidth not in RULES:
        raise ValueError(f"{name}={bandwidth!r}: give one of {', '.join(map(repr, RULES))}, or positive numbers")
    if bandwidth in FACTORS and shape is None:
        factor = FACTORS[bandwidth](float(weights.sum()), rows.shape[1])
        return as_given(factor * np.eye(rows.shape[1]), side)
    found = measure_shape(rows, weights / weights.sum(), shape or "axes")
    factor, factors, log_likelihoods = choose_factor(bandwidth, found, rows, weights, cv, seed)
    root = found.root(factor)
    return Bandwidth(root, row_lengths(root) * side, factor, factors, log_likelihoods, found.fixed.shape[1])


def as_given(widths: np.ndarray, side: float) -> Bandwidth:
    return Bandwidth(widths / side, row_lengths(widths), 1.0, np.ones(1), np.full(1, np.nan), 0)


def width_of(kernel: str, d: int) -> float:
    """The width of a kernel whose variance is 1 along every axis."""
    if kernel in RADIAL:
        return 1.0 / math.sqrt(variance(kernel, d))
    return BOX if kernel == "box" else 1.0


def choose_factor(
    rule: str, shape: Shape, rows: np.ndarray, weights: np.ndarray, cv: int | Splits, seed: int
) -> tuple[float, np.ndarray, np.ndarray]:
    """The factor, those tried, and their log-likelihoods in the units of the data."""
    r = shape.varying.shape[1]
    if r == 0:
        return 1.0, np.ones(1), np.full(1, np.nan)
    if rule in FACTORS:
        factor = FACTORS[rule](float(weights.sum()), r)
        return factor, np.full(1, factor), np.full(1, np.nan)
    splits, share, least = None, 1.0, 0.0
    if rule == "k-fold" and isinstance(cv, list):
        splits = cv
    else:
        rows, weights, share = search_rows(rows, weights, r, seed)
        if len(rows) == 1:  # of those looked at
            return choose_factor("scott", shape, rows, weights, cv, seed)
        least = least_factor(shape, find_rounding(rows, weights))
        if rule == "k-fold" and isinstance(cv, int):
            rows, weights = single_rows(rows, weights) if least else (rows, weights)
            splits = make_splits(len(rows), min(cv, len(rows)), seed)
    points, log_volume = varying_coordinates(shape, rows)
    found = search_width(points, weights, share, seed, splits, least)
    return found.best, found.factors, found.log_likelihoods - log_volume


def least_factor(shape: Shape, rounding: Rounding | None) -> float:
    """At which no width is less than the step of its column; 0 where values are not rounded."""
    if rounding is None:
        return 0.0
    stepped = rounding.steps > 0
    return float((rounding.steps[stepped] / row_lengths(shape.varying[stepped])).max())


def varying_coordinates(shape: Shape, rows: np.ndarray) -> tuple[np.ndarray, float]:
    """Coordinates (n, r) in which the varying part of the kernel is the identity, and the logarithm of its volume."""
    whole = np.hstack([shape.varying, shape.fixed])
    scale = row_lengths(whole)
    inverse = np.linalg.inv(whole / scale[:, None])
    points = (rows.astype(np.float64) * 0.5 - 0.5 * medians(rows)) / (0.5 * scale)
    log_volume = float(np.log(scale).sum()) - float(np.linalg.slogdet(inverse)[1])
    log_volume += 0.5 * shape.fixed.shape[1] * math.log(2 * math.pi)  # the height of a Gaussian across the flat ones
    return np.ascontiguousarray((points @ inverse.T)[:, : shape.varying.shape[1]]), log_volume


def given_root(bandwidth: Any, d: int, kernel: str, name: str) -> np.ndarray:
    """A root of the covariance of a Gaussian kernel, or the sides of a box on the diagonal."""
    wanted = f"give a positive number, {d} of them, or a covariance of shape ({d}, {d})"
    try:
        given = np.asarray(bandwidth, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name}={bandwidth!r}: {wanted}, or one of {', '.join(map(repr, RULES))}") from None
    if isinstance(bandwidth, bool) or not np.isfinite(given).all():
        raise ValueError(f"{name}={bandwidth!r}: {wanted}")
    if given.ndim == 0 or (given.ndim == 1 and len(given) == d):
        if not (given > 0).all():
            raise ValueError(f"{name}={bandwidth!r}: {wanted}")
        return np.diag(np.broadcast_to(given, d))
    if given.shape != (d, d):
        raise ValueError(f"{name} has shape {given.shape}, X has {d} column(s): {wanted}")
    if kernel != "gaussian":
        sides = "length of their sides" if kernel == "box" else "width along each axis"
        raise ValueError(f"{name} of shape ({d}, {d}) needs Gaussian kernels; for {kernel} kernels give the {sides}")
    return covariance_root(given, name)


def covariance_root(covariance: np.ndarray, name: str) -> np.ndarray:
    """Lower triangular, by Cholesky's method on the correlations."""
    variances = np.diag(covariance)
    if (variances > 0).all() and np.allclose(covariance, covariance.T, rtol=1e-6, atol=0):
        scale = np.sqrt(variances)
        try:
            return scale[:, None] * np.linalg.cholesky(covariance / scale[:, None] / scale)
        except np.linalg.LinAlgError:
            pass
    raise ValueError(f"{name} as a matrix is the covariance of the kernel: give a symmetric positive definite one")


def counted_splits(cv: Any, counts: np.ndarray) -> Splits:
    """The given splits, in the numbering of the rows that count."""
    number = np.cumsum(counts) - 1
    splits = []
    for pair in cv:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise ValueError("cv: give a whole number from 2 up, or pairs of index arrays, (rest, held out)")
        rest, held = (number[rows[counts[rows]]] for rows in map(np.asarray, pair))
        if len(rest) and len(held):
            splits.append((rest, held))
    if not splits:
        raise ValueError("cv holds no split with rows on both sides; give a whole number from 2 up")
    return splits
