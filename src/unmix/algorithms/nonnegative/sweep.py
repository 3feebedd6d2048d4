"""Coordinate descent for non-negative least squares, many rows at a time.

    minimise ½ z G zᵀ - b·z  over z ≥ 0:   z_c ← max(0, z_c + (b_c - Σ_l G_cl z_l) / G_cc),   c = 1 … k, again and again

for every row z of Z with its row b of B. A row stops when a sweep lowers its objective by less than `share` of what its
first sweep did, and no row's answer depends on the rows beside it.  Rows lie side by side in a tile, so that the
inner loop runs along the rows and is as fast as a matrix product.

Hsieh & Dhillon, KDD 2011; several sweeps a product: Gillis & Glineur, Neural Computation 24, 2012.
"""

import numpy as np
from numba import njit

TILE = 128  # rows of a tile; with a shorter one the compiler leaves the inner loops scalar


@njit(cache=True, nogil=True)
def sweep(
    gram: np.ndarray, linear: np.ndarray, codes: np.ndarray, most: int, share: float, violation: np.ndarray
) -> None:
    """Improve ``codes`` in place; ``violation`` gets the size of each row's projected gradient before."""
    n, k = codes.shape
    kind = codes.dtype.type
    tile, given = np.empty((k, TILE), codes.dtype), np.empty((k, TILE), codes.dtype)
    slope, gain, enough = np.empty(TILE, codes.dtype), np.empty(TILE, codes.dtype), np.empty(TILE, codes.dtype)
    active, wrong = np.empty(TILE, codes.dtype), np.empty(TILE, codes.dtype)
    for start in range(0, n, TILE):
        count = min(TILE, n - start)
        for i in range(TILE):
            active[i] = kind(1) if i < count else kind(0)
            wrong[i] = kind(0)
        for c in range(k):
            for i in range(count):
                tile[c, i], given[c, i] = codes[start + i, c], linear[start + i, c]
            for i in range(count, TILE):
                tile[c, i], given[c, i] = kind(0), kind(0)
        for repeat in range(most):
            _sweep_tile(gram, given, tile, active, slope, gain, wrong, repeat == 0)
            if repeat == 0:
                for i in range(TILE):
                    enough[i] = gain[i] * kind(share)
            if not _still_active(gain, enough, active):
                break
        for i in range(count):
            violation[start + i] = wrong[i]
        for c in range(k):
            for i in range(count):
                codes[start + i, c] = tile[c, i]


@njit(cache=True, nogil=True)
def _sweep_tile(
    gram: np.ndarray,
    given: np.ndarray,
    tile: np.ndarray,
    active: np.ndarray,
    slope: np.ndarray,
    gain: np.ndarray,
    wrong: np.ndarray,
    first: bool,
) -> None:
    """One step in every coordinate; ``gain`` gets what it gained, ``wrong`` on the first sweep the violation."""
    k = len(gram)
    zero, one = tile.dtype.type(0), tile.dtype.type(1)
    for i in range(TILE):
        gain[i] = zero
    for c in range(k):
        curvature = gram[c, c]
        if curvature <= zero:
            continue  # a component that is zero explains nothing
        for i in range(TILE):
            slope[i] = given[c, i]
        for other in range(k):
            product = gram[c, other]
            for i in range(TILE):
                slope[i] -= product * tile[other, i]
        if first:
            for i in range(TILE):
                wrong[i] += abs(slope[i]) if tile[c, i] > zero else max(slope[i], zero)
        inverse = one / curvature
        for i in range(TILE):
            old = tile[c, i]
            step = (max(old + slope[i] * inverse, zero) - old) * active[i]
            tile[c, i] = old + step
            gain[i] += step * step * curvature


@njit(cache=True, nogil=True)
def _still_active(gain: np.ndarray, enough: np.ndarray, active: np.ndarray) -> bool:
    """Let the rows rest that gained too little; whether any is left."""
    zero = active.dtype.type(0)
    alive = False
    for i in range(TILE):
        if gain[i] <= enough[i]:
            active[i] = zero
        elif active[i] > zero:
            alive = True
    return alive


@njit(cache=True, nogil=True)
def sweep_own(
    grams: np.ndarray, linear: np.ndarray, codes: np.ndarray, most: int, share: float, violation: np.ndarray
) -> None:
    """As `sweep`, each row with a matrix ``grams[i]`` of its own."""
    n, k = codes.shape
    zero = codes.dtype.type(0)
    slope = np.empty(k, codes.dtype)
    for i in range(n):
        violation[i] = zero
        for c in range(k):
            slope[c] = linear[i, c]
            for other in range(k):
                slope[c] -= grams[i, c, other] * codes[i, other]
        enough = zero
        for repeat in range(most):
            gain = zero
            for c in range(k):
                curvature = grams[i, c, c]
                if curvature <= zero:
                    continue
                old = codes[i, c]
                if repeat == 0:
                    violation[i] += abs(slope[c]) if old > zero else max(slope[c], zero)
                step = max(old + slope[c] / curvature, zero) - old
                if step != zero:
                    codes[i, c] = old + step
                    gain += step * step * curvature
                    for other in range(k):
                        slope[other] -= step * grams[i, c, other]
            if repeat == 0:
                enough = gain * codes.dtype.type(share)
            if gain <= enough:
                break
