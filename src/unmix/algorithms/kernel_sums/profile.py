"""Kernels that depend on the distance alone, K(r) for a distance of r widths: their shapes, heights, spreads and draws.

    tophat 1,   epanechnikov 1 - r²,   linear 1 - r,   cosine cos(pi r / 2)   for r < 1, else 0;   exponential e^-r

A density in d dimensions has the height 1 / (S ∫ r^(d-1) K(r) dr), S = 2 pi^(d/2) / Gamma(d/2) the surface of the unit
ball, and in every direction the variance ∫ r^(d+1) K(r) dr / (d ∫ r^(d-1) K(r) dr).
"""

from __future__ import annotations

import math

import numpy as np

COMPACT = ("tophat", "epanechnikov", "linear", "cosine")
RADIAL = (*COMPACT, "exponential")
NODES = 40  # of a quadrature, which is exact for polynomials of up to twice the degree


def profile(kernel: str, r: np.ndarray) -> np.ndarray:
    """K(r), a new array."""
    if kernel == "exponential":
        return np.exp(-r)
    inside = np.minimum(r, 1.0)
    if kernel == "tophat":
        height = np.ones_like(inside)
    elif kernel == "cosine":
        height = np.cos(0.5 * math.pi * inside)
    else:
        height = 1.0 - (inside if kernel == "linear" else inside * inside)
    return np.where(r < 1.0, height, 0.0)


def moment(kernel: str, power: int) -> float:
    """∫ r^power K(r) dr of a kernel that ends at 1."""
    places, weights = np.polynomial.legendre.leggauss(NODES + power // 2)
    r = 0.5 * (places + 1.0)
    return float(0.5 * weights @ (r**power * profile(kernel, r)))


def log_moment(kernel: str, power: int) -> float:
    return math.lgamma(power + 1) if kernel == "exponential" else math.log(moment(kernel, power))


def log_height(kernel: str, d: int) -> float:
    """Logarithm of the density of one kernel of width 1 where it is highest."""
    log_surface = math.log(2) + 0.5 * d * math.log(math.pi) - math.lgamma(0.5 * d)
    return -log_surface - log_moment(kernel, d - 1)


def variance(kernel: str, d: int) -> float:
    """Along any axis, of a kernel of width 1."""
    return math.exp(log_moment(kernel, d + 1) - log_moment(kernel, d - 1)) / d


def draw(kernel: str, generator: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Moves (n, d) from the centre of a kernel of width 1: a direction times a distance of density r^(d-1) K(r)."""
    directions = generator.standard_normal((n, d))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    return np.asarray(directions * draw_distances(kernel, generator, n, d)[:, None])


def draw_distances(kernel: str, generator: np.random.Generator, n: int, d: int) -> np.ndarray:
    """r is of a beta law, or its square is, or it is of a gamma law; for the cosine, a beta law with rejection."""
    if kernel == "tophat":
        return np.asarray(generator.random(n) ** (1.0 / d))
    if kernel == "epanechnikov":
        return np.sqrt(generator.beta(0.5 * d, 2.0, n))
    if kernel == "exponential":
        return generator.gamma(d, size=n)
    r = generator.beta(d, 2.0, n)
    asked = np.arange(n) if kernel == "cosine" else np.arange(0)
    while asked.size:  # cos(pi r / 2) ≤ pi / 2 (1 - r)
        some = r[asked]
        asked = asked[generator.random(asked.size) * 0.5 * math.pi * (1.0 - some) > np.cos(0.5 * math.pi * some)]
        r[asked] = generator.beta(d, 2.0, asked.size)
    return r
