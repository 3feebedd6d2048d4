"""Compiled descent from corner to corner of a least absolute deviation, min ‖x - z U‖₁ over z.

At a corner k entries, the basis, fit exactly. Multipliers y of the basis follow from U y = 0; one beyond ±1 tells which
entry to let go, and the best step along the edge, a weighted median, which entry takes its place.
Barrodale & Roberts, SIAM Journal on Numerical Analysis 10, 1973; Bloomfield & Steiger 1983.
"""

from __future__ import annotations

import numpy as np

from unmix.core.compiled.kernel import kernel


@kernel
def descend(
    x: np.ndarray, U: np.ndarray, basis: np.ndarray, inverse: np.ndarray, most_pivots: int
) -> tuple[np.ndarray, bool]:
    """The code z at the best corner and whether it is proven best; ``basis`` and its ``inverse`` are updated."""
    k, d = U.shape
    z, y, edge, toward = np.zeros(k), np.zeros(k), np.zeros(k), np.zeros(k)
    rest, slopes, times = np.zeros(d), np.zeros(d), np.zeros(d)
    inside = np.zeros(d, dtype=np.bool_)
    for j in range(k):
        inside[basis[j]] = True
        for m in range(k):
            z[m] += x[basis[j]] * inverse[j, m]
    for _ in range(most_pivots):
        worst = _worst_multiplier(x, U, inverse, inside, z, rest, toward, y)
        if abs(y[worst]) <= 1.0 + 1e-9:
            return z, True
        direction = -1.0 if y[worst] > 0 else 1.0
        for m in range(k):
            edge[m] = direction * inverse[worst, m]
        entering = _end_of_edge(U, inside, rest, edge, 1.0 - abs(y[worst]), slopes, times)
        if entering < 0:
            return z, False
        _exchange(U, basis, inverse, inside, worst, entering)
        for m in range(k):
            z[m] += times[entering] * edge[m]
    return z, False


@kernel
def _worst_multiplier(
    x: np.ndarray,
    U: np.ndarray,
    inverse: np.ndarray,
    inside: np.ndarray,
    z: np.ndarray,
    rest: np.ndarray,
    toward: np.ndarray,
    y: np.ndarray,
) -> int:
    """The basis entry with the largest multiplier; ``rest`` gets the deviations, ``y`` the multipliers."""
    k, d = U.shape
    toward[:] = 0.0
    for i in range(d):
        rest[i] = x[i]
        for m in range(k):
            rest[i] -= z[m] * U[m, i]
        if not inside[i]:
            sign = 1.0 if rest[i] >= 0 else -1.0
            for m in range(k):
                toward[m] += sign * U[m, i]
    worst = 0
    for j in range(k):
        y[j] = 0.0
        for m in range(k):
            y[j] -= inverse[j, m] * toward[m]
        if abs(y[j]) > abs(y[worst]):
            worst = j
    return worst


@kernel
def _end_of_edge(
    U: np.ndarray,
    inside: np.ndarray,
    rest: np.ndarray,
    edge: np.ndarray,
    slope: float,
    slopes: np.ndarray,
    times: np.ndarray,
) -> int:
    """The entry whose deviation is zero where the objective, falling by ``slope`` at first, stops falling; else -1."""
    k, d = U.shape
    for i in range(d):
        times[i] = np.inf
        slopes[i] = 0.0
        if not inside[i]:
            for m in range(k):
                slopes[i] += edge[m] * U[m, i]
            # a deviation of zero counts as positive, so it is crossed only downwards
            if abs(slopes[i]) > 1e-13 and (slopes[i] > 0) == (rest[i] >= 0):
                times[i] = rest[i] / slopes[i]
    for i in np.argsort(times):
        if times[i] == np.inf:
            break
        slope += 2 * abs(slopes[i])
        if slope >= 0:
            return i
    return -1


@kernel
def _exchange(
    U: np.ndarray, basis: np.ndarray, inverse: np.ndarray, inside: np.ndarray, leaving: int, entering: int
) -> None:
    """Replace one column of the basis and update its inverse."""
    k = len(basis)
    column = np.zeros(k)
    for j in range(k):
        for m in range(k):
            column[j] += inverse[j, m] * U[m, entering]
    for m in range(k):
        inverse[leaving, m] /= column[leaving]
    for j in range(k):
        if j != leaving:
            for m in range(k):
                inverse[j, m] -= column[j] * inverse[leaving, m]
    inside[basis[leaving]] = False
    inside[entering] = True
    basis[leaving] = entering
