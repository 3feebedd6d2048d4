"""Compiled parts of the likelihood: tanh of every source on its own scale, then scores and their sums."""

from typing import Any

import numpy as np

from unmix.algorithms.independent.hyperbolic import fill_tanh_and_log
from unmix.core.compiled.kernel import kernel


@kernel
def fill_rows(s: np.ndarray, scales: np.ndarray, t: np.ndarray, logs: np.ndarray, factors: np.ndarray, c: Any) -> None:
    """t_i = tanh(scale_i s_i), logs_i = Σ log(1 + exp(-2 scale_i |s_i|))."""
    for i in range(s.shape[0]):
        logs[i] = fill_tanh_and_log(s[i], scales[i], t[i], factors, c)


# Sums may be reordered here, so that several are kept side by side in registers; nothing cancels
@kernel(fastmath={"contract", "reassoc", "nsz"})
def sum_rows(s: np.ndarray, t: np.ndarray, w: np.ndarray, flat: np.ndarray, sums: np.ndarray, half: float) -> None:
    """Turn t into w φ, and sum w φ', w s², w φ' s² and w |s| into the rows of ``sums``."""
    zero = half - half
    for i in range(s.shape[0]):
        row, out = s[i], t[i]
        slope, square, curvature, size = zero, zero, zero, zero
        if flat[i]:
            for r in range(row.size):
                y, v = row[r], out[r]
                weighted = w[r] * y * y
                slope += w[r] * v * v
                square += weighted
                curvature += v * v * weighted
                size += w[r] * abs(y)
                out[r] = w[r] * (y - v)
        else:
            for r in range(row.size):
                y, v = row[r], out[r]
                weighted = w[r] * y * y
                d = half - half * v * v
                slope += w[r] * d
                square += weighted
                curvature += d * weighted
                size += w[r] * abs(y)
                out[r] = w[r] * v
        sums[0, i], sums[1, i], sums[2, i], sums[3, i] = slope, square, curvature, size
