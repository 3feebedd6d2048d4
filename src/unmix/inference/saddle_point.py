"""Laplace's method for least-angle clustering: the sum over labellings as an integral about its saddle point.

    R(c) = -½ Σ_α ||Σ_{i in α} x_i||²,   and the square is completed with a vector m_α a cluster:

    Z = Σ_c exp(-R(c)/T) = (2πT)^(-kd/2) ∫ exp(-f(m)/T) dm,   f(m) = ½ Σ_α ||m_α||² - T Σ_i log Σ_α exp(x_i·m_α / T)

for given m labels are independent, so the sum over them is a product. f is least where the prototypes are the sums of
their shares, and there

    m_α = Σ_i p_iα x_i,   p_iα ∝ exp(x_i·m_α / T)
    log Z ≈ -f(m)/T - ½ log det H + log (number of renamings),   H = 1 - (1/T) Σ_i (diag p_i - p_i p_iᵀ) ⊗ x_i x_iᵀ

since a minimum with distinct prototypes has copies under other names; other minima are added. Exact as T -> 0, and as
n -> ∞ at T of the order of n. All m_α are one above T = λ_max(Σ_i x_i x_iᵀ) / k, where H has its first zero, the
critical temperature, near which the expansion fails. f at the saddle point is <R> - T H with every object in its own
field, an upper bound of the free energy.

References: Hubbard, Phys. Rev. Lett. 3 (1959); Tierney & Kadane, JASA 81 (1986).
"""

from __future__ import annotations

from math import lgamma
from typing import Any, NamedTuple

import numpy as np
from scipy.special import logsumexp

from unmix.core.linalg import largest_eigenvalue
from unmix.costs.base import HasVectors
from unmix.inference.mean_field import MeanField, normalised, softmax

MOST_COORDINATES = 3000  # k d of a matrix of second derivatives
NEWTON_STEPS = 20
SAME = 1e-6  # of T: prototypes whose squared distance is smaller are one
SMALL_PROBLEM = 10_000  # n k d of problems small enough for other minima to count
STARTS, SETTLING = 30, 100  # random starts for them, and their updates


class Minimum(NamedTuple):
    """The logarithm of the integral about a minimum of f, and the lengths of its prototypes over √T, in order."""

    value: float
    lengths: np.ndarray


class SaddlePoint(MeanField):
    """Follows the saddle point down; every update of all prototypes lowers f."""

    requires: Any = HasVectors

    def __init__(self, max_sweeps: int = 500, tol: float = 1e-6, jitter: float = 1e-3) -> None:
        super().__init__("parallel", 0.0, max_sweeps, tol, jitter)
        self.requires = HasVectors

    def hot(self, cost: Any, data: Any, k: int) -> float:
        """A tenth above the critical temperature, where all prototypes are one."""
        X = cost.vectors(data)
        largest = largest_eigenvalue(lambda v: X.T @ (X @ v), X.shape[1])
        return max(1.1 * largest / k, np.finfo(float).tiny * 1e10)

    def _all_at_once(
        self, cost: Any, data: Any, q: np.ndarray, beta: float, rng: np.random.Generator
    ) -> tuple[np.ndarray, float, int]:
        X, change, sweeps = cost.vectors(data), np.inf, 0
        while change > self.tol and sweeps < self.max_sweeps:
            # f is a square less a convex function: the minimum of what touches it from above is m = Σ p x
            new = softmax(-(X @ (X.T @ q)), beta)
            q, change, sweeps = new, float(np.abs(new - q).max()), sweeps + 1
        return normalised(q), change, sweeps

    def free_energy(self, cost: Any, data: Any, q: np.ndarray, temperature: float) -> float:
        """-T log Z by Laplace's method about the saddle point that belongs to these shares."""
        X = cost.vectors(data)
        return -temperature * log_partition(X, q.T @ X, temperature)


def potential(X: np.ndarray, m: np.ndarray, T: float) -> float:
    """f(m)."""
    return float((m * m).sum() / 2 - T * logsumexp(X @ m.T / T, axis=1).sum())


def curvature(X: np.ndarray, q: np.ndarray, T: float) -> np.ndarray:
    """(k d, k d): the second derivatives H of f at prototypes with the shares q."""
    d, k = X.shape[1], q.shape[1]
    H = np.zeros((k, d, k, d))
    for a in range(k):
        for b in range(a, k):
            weight = q[:, a] * ((a == b) - q[:, b])
            H[a, :, b] = (X * weight[:, None]).T @ X / -T
            H[b, :, a] = H[a, :, b].T
    return H.reshape(k * d, k * d) + np.eye(k * d)


def refined(X: np.ndarray, m: np.ndarray, T: float) -> tuple[np.ndarray, np.ndarray]:
    """The saddle point to rounding, by Newton's steps as long as they lower f, and H there."""
    for _ in range(NEWTON_STEPS):
        q = softmax(-(X @ m.T), 1 / T)
        H, slope = curvature(X, q, T), m - q.T @ X
        step = np.linalg.lstsq(H, slope.ravel(), rcond=None)[0].reshape(m.shape)
        better = potential(X, m - step, T) <= potential(X, m, T)
        m = m - step if better else q.T @ X
        if np.abs(step).max() <= 1e-12 * max(float(np.abs(m).max()), T**0.5):
            break
    return m, curvature(X, softmax(-(X @ m.T), 1 / T), T)


def log_partition(X: np.ndarray, m: np.ndarray, T: float) -> float:
    """log Z by Laplace's method from prototypes (k, d) near a minimum of f, and from other minima of small problems.

    NaN where there is no minimum, or H is too large.
    """
    if m.size > MOST_COORDINATES:
        return float("nan")
    found = [log_integral(X, start, T) for start in (m, *other_starts(X, m, T))]
    if np.isnan(found[0].value):
        return float("nan")
    distinct: list[Minimum] = []
    for minimum in found:
        if not np.isnan(minimum.value) and not any(same_minimum(minimum, other) for other in distinct):
            distinct.append(minimum)
    return float(logsumexp([minimum.value for minimum in distinct]))


def other_starts(X: np.ndarray, m: np.ndarray, T: float) -> list[np.ndarray]:
    """Prototypes of random labels, settled; none where a single minimum outweighs all others, as with many objects."""
    if len(X) * m.size > SMALL_PROBLEM:
        return []
    k, rng, starts = len(m), np.random.default_rng(0), []
    for _ in range(STARTS):
        q = np.eye(k)[rng.integers(0, k, len(X))]
        for _ in range(SETTLING):
            q = softmax(-(X @ (X.T @ q)), 1 / T)
        starts.append(q.T @ X)
    return starts


def log_integral(X: np.ndarray, m: np.ndarray, T: float) -> Minimum:
    """About one minimum and its copies under other names."""
    m, H = refined(X, m, T)
    lowest = np.linalg.eigvalsh(H)
    value = -potential(X, m, T) / T - float(np.log(np.maximum(lowest, 1e-300)).sum()) / 2 + log_renamings(m, T)
    return Minimum(value if lowest[0] > 0 else np.nan, np.sort(np.linalg.norm(m, axis=1)) / T**0.5)


def same_minimum(one: Minimum, other: Minimum) -> bool:
    """Whether two minima are the same up to names."""
    return abs(one.value - other.value) < SAME and np.allclose(one.lengths, other.lengths, atol=SAME**0.5)


def log_renamings(m: np.ndarray, T: float) -> float:
    """log k! less that of the names of prototypes that are one: so many minima are alike."""
    same = ((m[:, None] - m) ** 2).sum(axis=2) <= SAME * T
    first = same.argmax(axis=1)
    return lgamma(len(m) + 1) - sum(lgamma(count + 1) for count in np.bincount(first))
