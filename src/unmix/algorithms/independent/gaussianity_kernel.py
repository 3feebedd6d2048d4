"""Compiled sums over runs of rows of a function's values and of what its Gaussian part leaves of them."""

import numpy as np

from unmix.core.compiled.kernel import kernel


# Sums may be reordered, so that several are kept side by side in registers
@kernel(fastmath={"contract", "reassoc", "nsz"})
def sum_runs(s: np.ndarray, values: np.ndarray, w: np.ndarray, law: np.ndarray, length: int, sums: np.ndarray) -> None:
    """Into rows of ``sums`` (4, k), for R = G - mean - linear s - quadratic (s² - 1):

    Σ w G; over whole runs of ``length`` rows Σ R², the sum of their Σ R, and of its squares.
    """
    mean, linear, quadratic = law[0] - law[2], law[1], law[2]
    zero = mean - mean
    for i in range(s.shape[0]):
        total, single, first, second = 0.0, 0.0, 0.0, 0.0
        for start in range(0, s.shape[1], length):
            y, g, share = s[i, start : start + length], values[i, start : start + length], w[start : start + length]
            value, rest, square = zero, zero, zero
            for r in range(y.size):
                left = g[r] - mean - linear * y[r] - quadratic * y[r] * y[r]
                value += share[r] * g[r]
                rest += left
                square += left * left
            total += value
            if y.size == length:
                single += square
                first += rest
                second += np.float64(rest) * np.float64(rest)
        sums[0, i], sums[1, i], sums[2, i], sums[3, i] = total, single, first, second
