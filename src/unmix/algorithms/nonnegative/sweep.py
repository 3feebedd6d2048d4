"""Coordinate descent for non-negative least squares, many rows at a time.

    minimise ½ z G zᵀ - b·z  over z ≥ 0:   z_c ← max(0, z_c + (b_c - Σ_l G_cl z_l) / G_cc),   c = 1 … k, again and again

for every row z of Z with its row b of B. A row stops when a sweep lowers its objective by less than `share` of what its
first sweep did, and no row's answer depends on the rows beside it.  Rows lie side by side in a tile, so that the
inner loop runs along the rows and is as fast as a matrix product.

Hsieh & Dhillon, KDD 2011; several sweeps a product: Gillis & Glineur, Neural Computation 24, 2012.
"""

import numpy as np

from unmix.core.compiled.cache_lines import zeros_at_line
from unmix.core.compiled.kernel import kernel

TILE = 128  # rows of a tile; with a shorter one the compiler leaves the inner loops scalar


def sweep(
    gram: np.ndarray, linear: np.ndarray, codes: np.ndarray, most: int, share: float, violation: np.ndarray
) -> None:
    """Improve ``codes`` in place; ``violation`` gets the size of each row's projected gradient before."""
    room = zeros_at_line((2 * codes.shape[1] + 5, TILE), codes.dtype)
    sweep_rows(gram, linear, codes, most, codes.dtype.type(share), violation, room)


@kernel
def sweep_rows(
    gram: np.ndarray, linear: np.ndarray, codes: np.ndarray, most: int, share: float, violation: np.ndarray,
    room: np.ndarray,
) -> None:  # fmt: skip
    """As `sweep`, in the room of a tile; places beyond the last row rest, whatever stands there."""
    (n, k), zero = codes.shape, codes.dtype.type(0)
    tile, given, slope, gain, wrong = room[:k], room[k : 2 * k], room[2 * k], room[2 * k + 1], room[2 * k + 2]
    active, enough = room[2 * k + 3], room[2 * k + 4]
    for start in range(0, n, TILE):
        count = min(TILE, n - start)
        for i in range(TILE):
            active[i], wrong[i] = i < count, zero
        for c in range(k):
            for i in range(count):
                tile[c, i], given[c, i] = codes[start + i, c], linear[start + i, c]
        for repeat in range(most):
            sweep_tile(gram, given, tile, active, slope, gain, wrong, repeat == 0)
            alive = False
            for i in range(TILE):
                if repeat == 0:
                    enough[i] = gain[i] * share
                if gain[i] <= enough[i]:
                    active[i] = zero  # a row that gained too little rests
                elif active[i] > zero:
                    alive = True
            if not alive:
                break
        for i in range(count):
            violation[start + i] = wrong[i]
            for c in range(k):
                codes[start + i, c] = tile[c, i]


@kernel(no_cpython_wrapper=True)
def sweep_tile(
    gram: np.ndarray, given: np.ndarray, tile: np.ndarray, active: np.ndarray, slope: np.ndarray, gain: np.ndarray,
    wrong: np.ndarray, first: bool,
) -> None:  # fmt: skip
    """One step in every coordinate; ``gain`` gets what it gained, ``wrong`` on the first sweep the violation."""
    zero, one = tile.dtype.type(0), tile.dtype.type(1)
    for i in range(TILE):
        gain[i] = zero
    for c in range(gram.shape[0]):
        curvature = gram[c, c]
        if curvature <= zero:
            continue  # a component that is zero explains nothing
        for i in range(TILE):
            slope[i] = given[c, i]
        for other in range(gram.shape[0]):
            product = gram[c, other]
            for i in range(TILE):
                slope[i] -= product * tile[other, i]
        if first:
            for i in range(TILE):
                wrong[i] += abs(slope[i]) if tile[c, i] > zero or slope[i] > zero else zero
        inverse = one / curvature
        for i in range(TILE):
            old = tile[c, i]
            new = old + slope[i] * inverse
            step = ((new if new > zero else zero) - old) * active[i]
            tile[c, i] = old + step
            gain[i] += step * step * curvature


def sweep_own(
    grams: np.ndarray, linear: np.ndarray, codes: np.ndarray, most: int, share: float, violation: np.ndarray
) -> None:
    """As `sweep`, each row with a matrix ``grams[i]`` of its own."""
    sweep_own_rows(grams, linear, codes, most, codes.dtype.type(share), violation, np.empty_like(linear[0]))


@kernel
def sweep_own_rows(
    grams: np.ndarray, linear: np.ndarray, codes: np.ndarray, most: int, share: float, violation: np.ndarray,
    slope: np.ndarray,
) -> None:  # fmt: skip
    n, k = codes.shape
    zero = codes.dtype.type(0)
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
                    violation[i] += abs(slope[c]) if old > zero or slope[c] > zero else zero
                new = old + slope[c] / curvature
                step = (new if new > zero else zero) - old
                if step != zero:
                    codes[i, c] = old + step
                    gain += step * step * curvature
                    for other in range(k):
                        slope[other] -= step * grams[i, c, other]
            if repeat == 0:
                enough = gain * share
            if gain <= enough:
                break
