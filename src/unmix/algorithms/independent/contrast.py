"""Contrasts of projection pursuit: g = G' and g' = G'' of G(s) whose mean tells a source from a Gaussian.

    logcosh  G = log cosh(a s) / a     g = tanh(a s)           g' = a (1 - g²)
    exp      G = -exp(-s² / 2)         g = s exp(-s² / 2)      g' = (1 - s²) exp(-s² / 2)
    cube     G = s⁴ / 4                g = s³                  g' = 3 s²           (kurtosis)

A. Hyvärinen, Fast and robust fixed-point algorithms for independent component analysis, IEEE Trans. Neural Networks 10,
1999.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

CONTRASTS = ("logcosh", "exp", "cube")
Response = tuple[np.ndarray, np.ndarray]


class Contrast(NamedTuple):
    """One of CONTRASTS, or a function of an array that returns g and either g' or its mean over every row."""

    kind: str | Callable[[np.ndarray], Response]
    a: float = 1.0


def respond(contrast: Contrast, s: np.ndarray, weights: np.ndarray | None) -> Response:
    """Weighted g (k, m), and Σ w g' of every row, in double precision."""
    w = None if weights is None else weights.astype(s.dtype)
    if contrast.kind == "logcosh":
        return logcosh(s, w, contrast.a)
    g, slopes = FORMULAS[contrast.kind](s) if isinstance(contrast.kind, str) else contrast.kind(s)
    if w is None:
        slopes = np.asarray(slopes)
        sums = slopes.sum(axis=1, dtype=np.float64) if slopes.ndim > 1 else slopes * float(s.shape[1])
        return np.ascontiguousarray(g, s.dtype), sums
    return g * w, np.asarray(slopes @ w, dtype=np.float64)


def logcosh(s: np.ndarray, w: np.ndarray | None, a: float) -> Response:
    """g' = a (1 - g²), so its sum needs no array of its own."""
    g = tanh(s, a)
    weighted = g if w is None else g * w
    squares = np.vecdot(weighted, g).astype(np.float64)
    mass = float(s.shape[1]) if w is None else float(w.sum(dtype=np.float64))
    return weighted, a * (mass - squares)


def values(contrast: Contrast, s: np.ndarray, weights: np.ndarray | None) -> np.ndarray:
    """Σ w G(s) of every row, of a contrast with a name, in double precision."""
    from unmix.algorithms.independent.hyperbolic import constants, fill_bell, fill_log_cosh

    out = np.empty_like(s)
    if contrast.kind == "cube":
        out = s * s * s * s / 4
    elif contrast.kind == "exp":
        fill_bell(s.ravel(), out.ravel(), s.dtype.type(0.5), constants(s.dtype))
        out = -out
    else:
        fill_log_cosh((s * s.dtype.type(contrast.a)).ravel(), out.ravel(), constants(s.dtype))
        out = out / s.dtype.type(contrast.a)
    if weights is None:
        return np.asarray(out.sum(axis=1, dtype=np.float64))
    return np.asarray(out.astype(np.float64) @ weights)


def bell(s: np.ndarray) -> Response:
    from unmix.algorithms.independent.hyperbolic import constants, fill_bell

    density = np.empty_like(s)
    fill_bell(s.ravel(), density.ravel(), s.dtype.type(0.5), constants(s.dtype))
    return s * density, (1 - s * s) * density


def cube(s: np.ndarray) -> Response:
    squares = s * s
    return s * squares, 3 * squares


FORMULAS: dict[str, Callable[[np.ndarray], Response]] = {"exp": bell, "cube": cube}


def tanh(s: np.ndarray, scale: float = 1.0) -> np.ndarray:
    """tanh(scale s) of a contiguous array."""
    from unmix.algorithms.independent.hyperbolic import constants, fill_tanh

    out = np.empty_like(s)
    fill_tanh(s.ravel(), s.dtype.type(scale), out.ravel(), constants(s.dtype))
    return out


def check_derivative(function: Callable[[np.ndarray], Any]) -> bool:
    """Refuse a contrast whose second answer is not the derivative of its first, by central differences.

    A few points may lie on a kink of g, so one in ten may disagree. The second answer may also be the mean of the
    derivative over every row; whether it is, is returned.
    """
    points = np.linspace(-2.9, 2.9, 61)[None, :] + 0.0123
    step = 1e-5
    try:
        (upper, _), (lower, _) = function(points + step), function(points - step)
        g, slopes = (np.asarray(part, dtype=np.float64) for part in function(points))
    except (TypeError, ValueError) as error:
        raise ValueError(f"fun={function!r} must take an array and return two like it, g and g': {error}") from error
    means = slopes.shape == points.shape[:1]
    if g.shape != points.shape or not (means or slopes.shape == points.shape):
        raise ValueError(
            f"fun={function!r} returned shapes {g.shape} and {slopes.shape} for an array of {points.shape}; "
            "return g and g', element by element, or g and the mean of g' over every row"
        )
    wanted = (np.asarray(upper) - np.asarray(lower)) / (2 * step)
    if means:
        points, slopes, wanted = points[:, :1], slopes[:, None], wanted.mean(axis=1, keepdims=True)
    wrong = ~(np.abs(slopes - wanted) <= 1e-4 * (1 + np.abs(wanted)))
    if wrong.mean() > 0.1:
        i = int(np.argmax(wrong))
        raise ValueError(
            f"fun={function!r}: its second answer is not the derivative of its first (at s={points[0, i]:.3g} it "
            f"is {slopes[0, i]:.6g}, differences give {wanted[0, i]:.6g}); return g and g'"
        )
    return means
