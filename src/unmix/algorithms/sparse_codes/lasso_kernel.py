"""The compiled part of the lasso: exact steps on a set of active atoms whose signs are known.

While signs s hold, the optimum over the active set A solves gram_AA z_A = (U x)_A - alpha s_A.  On the way there the
first entry to reach zero leaves; at the goal the atom with the largest |<r, u_k>| > alpha joins.  Each step lowers the
objective and sets do not come back, so the end is the optimum itself.  Lee, Battle, Raina & Ng, NIPS 2006.
"""

import math
from typing import Any

import numpy as np

from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit_kernel import FAST
from unmix.core.compiled.kernel import kernel


@kernel(fastmath=FAST)
def refresh(c: Any, start: Any, gram: Any, active: Any, mix: Any, count: int) -> None:
    """c = start - Σ_j mix[j] gram[active[j]], four rows at a time; beyond `count`, mix and active are zero."""
    for k in range(c.size):
        c[k] = start[k]
    for j in range(0, count, 4):
        g0, g1, g2, g3 = gram[active[j]], gram[active[j + 1]], gram[active[j + 2]], gram[active[j + 3]]
        m0, m1, m2, m3 = mix[j], mix[j + 1], mix[j + 2], mix[j + 3]
        for k in range(c.size):
            c[k] -= (m0 * g0[k] + m1 * g1[k]) + (m2 * g2[k] + m3 * g3[k])


@kernel
def worst(c: Any, out: Any, bar: float, positive: bool) -> int:
    """The atom that may join and correlates the most, if by more than `bar`; else -1. Positive codes have one sign."""
    best, place = bar, -1
    for k in range(c.size):
        if abs(c[k]) > best and not out[k] and (c[k] > 0 or not positive):
            best, place = abs(c[k]), k
    return place


@kernel
def factor(lower: Any, gram: Any, active: Any, first: int, count: int) -> float:
    """Rows `first` … of the Cholesky factor of gram_AA; the last pivot, relative to its diagonal."""
    pivot = 1.0
    for i in range(first, count):
        row = gram[active[i]]
        for j in range(i):
            total = float(row[active[j]])
            for m in range(j):
                total -= lower[i, m] * lower[j, m]
            lower[i, j] = total / lower[j, j]
        whole = float(row[active[i]])
        pivot = whole
        for m in range(i):
            pivot -= lower[i, m] * lower[i, m]
        lower[i, i] = math.sqrt(pivot if pivot > 1e-300 else 1e-300)
        pivot /= whole
    return pivot


@kernel
def solve(lower: Any, right: Any, count: int) -> None:
    """lower lowerᵀ right = right, in place."""
    for i in range(count):
        for m in range(i):
            right[i] -= lower[i, m] * right[m]
        right[i] /= lower[i, i]
    for i in range(count - 1, -1, -1):
        for m in range(i + 1, count):
            right[i] -= lower[m, i] * right[m]
        right[i] /= lower[i, i]


@kernel
def leave(place: int, active: Any, z: Any, signs: Any, out: Any, count: int) -> None:
    """Take the entry at `place` out; the others keep their order."""
    out[active[place]] = False
    for j in range(place, count - 1):
        active[j], z[j], signs[j] = active[j + 1], z[j + 1], signs[j + 1]
    active[count - 1], z[count - 1] = 0, 0.0


@kernel
def exchange(lower: Any, gram: Any, active: Any, z: Any, signs: Any, count: int, share: Any) -> int:
    """The newest atom lies in the span of the others: trade it in, the fit unchanged; who becomes zero, or -1.

    With u_k = Σ_a w_a u_a, moving z_k by t and z_a by -t w_a changes nothing but Σ|z|, which falls.
    """
    k = active[count - 1]
    for j in range(count - 1):
        share[j] = gram[active[j], k]
    solve(lower, share, count - 1)
    place: Any = np.int64(-1)  # typed: callees would be compiled once more for a literal
    reach = np.inf
    for j in range(count - 1):
        slope = signs[count - 1] * share[j]
        if slope * signs[j] > 0 and z[j] / slope < reach:
            reach, place = z[j] / slope, j
    if place >= 0:
        for j in range(count - 1):
            z[j] -= signs[count - 1] * reach * share[j]
        z[count - 1] = signs[count - 1] * reach
    return place


@kernel
def solve_active_set(
    lower: Any, start: Any, gram: Any, alpha: float, active: Any, z: Any, signs: Any, goal: Any, out: Any, n: int
) -> int:
    """Go to the optimum of the active set; the number of atoms that are left in it."""
    place: Any
    while n > 0:
        for j in range(n):
            goal[j] = start[active[j]] - alpha * signs[j]
        solve(lower, goal, n)
        share, place = 1.0, np.int64(-1)
        for j in range(n):
            if goal[j] * signs[j] <= 0 and z[j] / (z[j] - goal[j] + 1e-300 * signs[j]) < share:
                share, place = z[j] / (z[j] - goal[j] + 1e-300 * signs[j]), j
        for j in range(n):
            z[j] += share * (goal[j] - z[j])
        if place < 0:
            break
        leave(place, active, z, signs, out, n)
        n -= 1
        factor(lower, gram, active, place, n)
    return n


@kernel
def solve_lasso_rows(
    correlations: Any, gram: Any, rank: int, alphas: Any, positive: bool, steps: int, tiny: float, codes: Any,
    lower: Any, z: Any, signs: Any, share: Any, active: Any, mix: Any, c: Any, out: Any,
) -> int:  # fmt: skip
    """One code a row of `correlations` = X Uᵀ, each at its price, into the zeros of `codes`; `tiny` is rounding.

    In at most so many steps; returns how many codes took them all. What stands behind `codes` is the room of
    `room_for`, all zero, and so again in the end but for what is written before it is read.
    """
    n_atoms, unfinished = gram.shape[0], correlations.shape[0]
    for i in range(correlations.shape[0]):
        start, alpha, n, most = correlations[i], alphas[i], np.int64(0), 0.0
        for k in range(n_atoms):
            out[k] = gram[k, k] <= 0
            most = abs(float(start[k])) if abs(float(start[k])) > most else most
        for _ in range(steps):
            for j in range(n + 4):
                mix[j] = z[j]
            refresh(c, start, gram, active, mix, n)
            k = worst(c, out, alpha + tiny * most, positive)
            if k < 0:
                unfinished -= 1
                break
            out[k], active[n], z[n] = True, k, 0.0
            signs[n] = 1.0 if c[k] > 0 else -1.0
            n += 1
            if factor(lower, gram, active, n - 1, n) <= tiny or n > rank:
                place = exchange(lower, gram, active, z, signs, n, share)
                if place < 0:  # a violation by rounding alone: this atom stays out
                    n -= 1
                    active[n] = 0
                    continue
                leave(place, active, z, signs, out, n)
                n -= 1
                factor(lower, gram, active, place, n)
            n = solve_active_set(lower, start, gram, alpha, active, z, signs, share, out, n)
        for j in range(n):
            codes[i, active[j]] = z[j]
            active[j], z[j] = 0, 0.0
    return unfinished
