"""A step of Newton's method for the code of one row: it ends what sweeps over coordinates approach slowly.

    z ← z - H⁻¹ g over the coordinates that are not zero,
    g_c = a_c + Σ_j u_cj (y_j^(β-1) - x_j y_j^(β-2)),   H_cl = Σ_j u_cj u_lj [(β-1) y_j^(β-2) + (2-β) x_j y_j^(β-3)]

with y = z U, but for those that their own curvature would lead below zero: sweeps bring them there, and they would hold
back the others.  It goes no further than nine tenths of the way to the first zero.  Sweeps follow each step; where the
objective is higher after them than it was before the step, both are taken back.  For β = 1 the sums go over positive
entries; what y_j^(β-1) = 1 of all observed ones adds is in a.
"""

import math

import numpy as np

from unmix.core.compiled.kernel import kernel

ROUNDING = 1e-14  # of an objective, and of a curvature: added to it, so that like components have an inverse
REACH = 0.9  # of the way to the first coordinate that becomes zero
GROWTH = 9.0  # of the largest coordinate, at most, by which one may grow
FAST = {"reassoc", "contract", "arcp"}  # sums may be reordered, so that they run in parallel lanes


@kernel(fastmath=FAST, error_model="numpy", no_cpython_wrapper=True)
def newton_step(
    parts: np.ndarray, count: int, rates: np.ndarray, code: np.ndarray, loss: float, l1: float, l2: float,
    floor: float, lanes: np.ndarray, room: np.ndarray, last: bool,
) -> None:  # fmt: skip
    """Take a step for one row, or take back the one before; only that, if it was the ``last``.

    ``parts`` (k, ≥ count) are the components at the entries of the row, the first of the ``lanes``, ``rates`` are a.
    ``room`` (k + 4, k) holds a Cholesky factor, the step, the code before it, its objective, infinite at first, and
    which coordinates move: of hundreds a row uses few, and the factor has their number cubed to do.
    """
    k, zero, value, share, most = code.size, code.dtype.type(0), 0.0, 1.0, 0.0
    x, y, bent, slopes, bends, step, old = lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], room[k], room[k + 1]
    for p in range(count):
        y[p] = floor
    for c in range(k):
        value += code[c] * (rates[c] + l1 + 0.5 * l2 * code[c])
        most = max(most, GROWTH * code[c])
        for p in range(count):
            y[p] += code[c] * parts[c, p]
    for p in range(count):
        fitted, low, alone = np.float64(y[p]), 1.0, 1.0
        ratio = x[p] / fitted
        if loss == 1:
            alone = 0.0
            value += x[p] * math.log(ratio)
        elif loss == 0:
            low = 1 / fitted
            value += ratio - math.log(ratio)
        else:
            low = fitted ** (loss - 1)
            value += low * (fitted / loss - x[p] / (loss - 1))
        slopes[p], bends[p] = low * (alone - ratio), low / fitted * (loss - 1 + (2 - loss) * ratio)
    worse = not value - ROUNDING * abs(value) <= room[k + 2, 0]
    for c in range(k):
        code[c] = old[c] if worse else code[c]
        old[c] = code[c]
    if worse or last:
        return
    room[k + 2, 0] = value
    active, moving = room[k + 3], 0
    for c in range(k):
        if code[c] > zero:
            slope, curvature = np.float64(rates[c] + l1 + l2 * code[c]), 0.0
            for p in range(count):
                slope += parts[c, p] * slopes[p]
                curvature += parts[c, p] * parts[c, p] * bends[p]
            if slope <= (curvature + l2) * (1 + ROUNDING) * code[c]:
                step[moving], active[moving] = slope, c
                moving += 1
    for m in range(moving):  # a pivot that is infinite lets its coordinate stay
        c, pivot = int(active[m]), 0.0
        for p in range(count):
            bent[p] = parts[c, p] * bends[p]
        for e in range(m + 1):
            total, other = 0.0, parts[int(active[e])]
            for p in range(count):
                total += bent[p] * other[p]
            if e == m:
                total = (total + l2) * (1 + ROUNDING)
            for q in range(e):
                total -= room[m, q] * room[e, q]
            if e < m:
                room[m, e] = total / room[e, e]
                step[m] -= room[m, e] * step[e]
            elif total > 0:
                pivot = math.sqrt(total)
        room[m, m] = pivot if pivot > 0 else math.inf
        step[m] /= room[m, m]
    for m in range(moving - 1, -1, -1):
        for e in range(m + 1, moving):
            step[m] -= room[e, m] * step[e]
        step[m] /= room[m, m]
        before = old[int(active[m])]
        if step[m] * share > REACH * before:
            share = REACH * before / step[m]
        elif -step[m] * share > most:
            share = -most / step[m]
    for m in range(moving):
        c = int(active[m])
        code[c] = old[c] - share * step[m]
