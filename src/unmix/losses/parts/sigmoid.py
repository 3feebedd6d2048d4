"""The logistic function σ(m) = 1 / (1 + e^-m), its integral log(1 + e^m), and the parabola above that.

    log(1 + e^m') ≤ log(1 + e^m) + σ(m) (m' - m) + ½ w(m) (m' - m)²,    w(m) = tanh(m / 2) / (2 m)

for every m' (Jaakkola and Jordan, "Bayesian parameter estimation via variational methods", Statistics and Computing 10,
2000).  All of it comes from one e^-|m|, which neither overflows nor cancels; infinite m are welcome.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

CERTAIN = 15.0  # log-odds given to what a column always or never holds: one in three million
LEAST_NEWTON = 1e-3  # of the curvature that a step is taken with: no step goes further than a thousand slopes
LEAST_CURVATURE = 1e-30  # where there is none to be seen, at m far from 0


class Softplus(NamedTuple):
    """log(1 + e^m) less max(m, 0), the derivative σ(m), and the curvature of the parabola above.

    The caller adds max(m, 0), together with what else is straight, so that they cancel before digits are lost.
    """

    tail: np.ndarray
    slope: np.ndarray
    curvature: np.ndarray


def softplus(m: np.ndarray) -> np.ndarray:
    """log(1 + e^m) = max(m, 0) + log(1 + e^-|m|)."""
    return np.maximum(m, 0) + np.log1p(np.exp(-np.abs(m)))


def sigmoid(m: np.ndarray) -> np.ndarray:
    """e^min(m, 0) / (1 + e^-|m|)."""
    return np.exp(np.minimum(m, 0)) / (1 + np.exp(-np.abs(m)))


def curvature(m: np.ndarray) -> np.ndarray:
    """tanh(m / 2) / (2 m), and ¼ (1 - m² / 12) near 0, where it would be 0 / 0."""
    size = np.abs(m)
    e = np.exp(-size)
    return _curvature(size, e, 1 + e)


def parabola(m: np.ndarray) -> Softplus:
    """All three."""
    size = np.abs(m)
    e = np.exp(-size)
    above = 1 + e
    # σ(m) = e^min(m, 0) / (1 + e^-|m|), and of the two powers one is 1
    slope = np.where(m < 0, e, 1) / above
    return Softplus(np.log1p(e), slope, _curvature(size, e, above))


def value_and_slope(m: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """log(1 + e^m) and σ(m)."""
    e = np.exp(-np.abs(m))
    return np.maximum(m, 0) + np.log1p(e), np.where(m < 0, e, 1) / (1 + e)


def _curvature(size: np.ndarray, e: np.ndarray, above: np.ndarray) -> np.ndarray:
    """(1 - e) / (1 + e) / (2 |m|) with e = e^-|m|."""
    near = np.finfo(size.dtype).eps ** 0.25  # 1 - e loses its digits below; two terms of the series keep them
    w = (1 - e) / (above * np.maximum(size, near) * 2)
    close = size < near
    if close.any():
        w[close] = 0.25 - size[close] ** 2 / 48
    return np.maximum(w, LEAST_CURVATURE)


def log_odds(share: np.ndarray) -> np.ndarray:
    """log(p / (1 - p)), no further out than `CERTAIN`."""
    least = 1 / (1 + np.exp(CERTAIN))
    inside = np.clip(np.asarray(share, np.float64), least, 1 - least)
    return np.log(inside) - np.log1p(-inside)
