"""The window that spreads a row over WIDTH cells of a grid, its transform, and how wrong a grid made with it can be.

    phi(t) = I0(beta sqrt(1 - (2 t / WIDTH)²)) / I0(beta),  |t| ≤ WIDTH / 2 cells   (Kaiser and Bessel's window)

Between two cells every one of its WIDTH values is a polynomial of the place within the cell; these polynomials are the
window from here on, and its transform and its error are computed from them.

For a wave of frequency x (radians a cell), Σ_l phi(l - s) e^{i x (l - s)} should be the transform p(x) for any s; let
rho(x) be the largest relative deviation over s. A kernel whose waves have amplitudes g(x) ≥ 0 that sum to 1 is spread
with the window and read with it, and divided by p² between, so a sum with weights of total 1 is wrong by at most

    Σ_x g(x) ((1 + rho(x))² - 1)  +  what the waves g has beyond the grid's finest, x > pi, add up to.

Reference: Barnett, Magland & af Klinteberg, A parallel nonuniform fast Fourier transform library based on an
"exponential of semicircle" kernel, SIAM J. Scientific Computing 41 (2019).
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.polynomial import chebyshev, legendre

WIDTH = 12
DEGREE = 15
# cells of so many kernel widths, and the beta that makes the bound least for them
SPACINGS = {0.45: 25.2, 0.4: 27.5, 0.35: 29.3, 0.3: 30.7, 0.25: 32.3}
PLACES = 64  # at which the deviation is looked at
SAFETY = 2.0  # for what happens between them, and for sums in place of integrals
ROUNDING = 2e-14


@cache
def coefficients(spacing: float) -> np.ndarray:
    """A flat (DEGREE + 1, WIDTH): value b is Σ_i c[i, b] t^i, highest power first, at place (t + 1) / 2 of a cell."""
    from scipy.special import i0

    beta = SPACINGS[spacing]
    t = chebyshev.chebpts1(DEGREE + 1)
    inside = np.clip(1 - (offsets((t + 1) / 2) * 2 / WIDTH) ** 2, 0, None)
    values = i0(beta * np.sqrt(inside)) / i0(beta)
    series = chebyshev.chebfit(t, values, DEGREE)
    powers = np.column_stack([chebyshev.cheb2poly(series[:, b]) for b in range(WIDTH)])
    return powers[::-1].ravel()


def offsets(place: np.ndarray) -> np.ndarray:
    """Distances of the WIDTH cells from places within a cell, 0 to 1."""
    return np.arange(WIDTH) - (WIDTH // 2 - 1) - np.asarray(place)[:, None]


def values_at(spacing: float, place: np.ndarray) -> np.ndarray:
    """The window at places within a cell, (places, WIDTH)."""
    t, out = 2 * np.asarray(place)[:, None] - 1, np.zeros((len(place), WIDTH))
    for line in coefficients(spacing).reshape(-1, WIDTH):
        out = out * t + line
    return out


def waves(spacing: float, place: np.ndarray, frequency: np.ndarray) -> np.ndarray:
    """Σ_l phi(l - s) e^{i x (l - s)} for places s and frequencies x, (places, frequencies)."""
    phase = offsets(place)[:, :, None] * frequency
    return np.einsum("pb,pbx->px", values_at(spacing, place), np.exp(1j * phase))


@cache
def transform_series(spacing: float) -> np.ndarray:
    """Chebyshev coefficients of the transform on [0, pi]."""
    nodes, weights = legendre.leggauss(24)
    frequency = (chebyshev.chebpts1(49) + 1) / 2 * math.pi
    transform = (weights / 2) @ waves(spacing, (nodes + 1) / 2, frequency).real
    return chebyshev.chebfit(chebyshev.chebpts1(49), transform, 48)


def transform(spacing: float, frequency: np.ndarray) -> np.ndarray:
    """p(x) for frequencies from 0 to pi."""
    return chebyshev.chebval(frequency * 2 / math.pi - 1, transform_series(spacing))


@cache
def error_bound(spacing: float, d: int) -> float:
    """Largest error of a Gaussian kernel sum on this grid in d dimensions, for weights of total 1."""
    frequency = np.linspace(0, math.pi, 257)
    found = waves(spacing, (np.arange(PLACES) + 0.5) / PLACES, frequency)
    deviation = np.abs(found / transform(spacing, frequency) - 1).max(axis=0)
    deviation = np.maximum.accumulate(deviation)
    rate = frequency / spacing
    amplitude = np.exp(-0.5 * rate**2) * math.sqrt(2 / math.pi)
    excess = np.trapezoid(amplitude * ((1 + deviation) ** 2 - 1), rate)
    beyond = math.erfc(math.pi / spacing / math.sqrt(2))
    return float(SAFETY * ((1 + excess + beyond) ** d - 1) + ROUNDING)


def choose_spacing(wanted: float, d: int) -> float:
    """The coarsest grid with an error within what is wanted; 0 if there is none."""
    return next((spacing for spacing in SPACINGS if error_bound(spacing, d) <= wanted), 0.0)
