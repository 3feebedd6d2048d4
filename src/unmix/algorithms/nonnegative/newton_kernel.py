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

from unmix.core.kernel import kernel

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
    ``room`` (k + 3, k) holds a Cholesky factor, the step, the code before it, and its objective: infinite at first.
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
        told, low, alone = np.float64(y[p]), 1.0, 1.0
        ratio = x[p] / told
        if loss == 1:
            alone = 0.0
            value += x[p] * math.log(ratio)
        elif loss == 0:
            low = 1 / told
            value += ratio - math.log(ratio)
        else:
            low = told ** (loss - 1)
            value += low * (told / loss - x[p] / (loss - 1))
        slopes[p], bends[p] = low * (alone - ratio), low / told * (loss - 1 + (2 - loss) * ratio)
    worse = not value - ROUNDING * abs(value) <= room[k + 2, 0]
    for c in range(k):
        code[c] = old[c] if worse else code[c]
        old[c] = code[c]
    if worse or last:
        return
    room[k + 2, 0] = value
    for c in range(k):  # a pivot that is infinite lets its coordinate stay
        slope, pivot = np.float64(rates[c] + l1 + l2 * code[c]), 0.0
        for p in range(count):
            slope += parts[c, p] * slopes[p]
            bent[p] = parts[c, p] * bends[p]
        gradient, stays = slope, code[c] <= zero
        for e in range(c + 1):
            total = 0.0
            if code[c] > zero and code[e] > zero:
                for p in range(count):
                    total += bent[p] * parts[e, p]
            if e == c:
                total = (total + l2) * (1 + ROUNDING)
                stays = stays or gradient > total * code[c]
            for q in range(e):
                total -= room[c, q] * room[e, q]
            if e < c:
                room[c, e] = total / room[e, e]
                slope -= room[c, e] * step[e]
            elif total > 0 and not stays:
                pivot = math.sqrt(total)
        room[c, c] = pivot if pivot > 0 else math.inf
        step[c] = slope / room[c, c]
    for c in range(k - 1, -1, -1):
        for e in range(c + 1, k):
            step[c] -= room[e, c] * step[e]
        step[c] /= room[c, c]
        if step[c] * share > REACH * old[c]:
            share = REACH * old[c] / step[c]
        elif -step[c] * share > most:
            share = -most / step[c]
    for c in range(k):
        code[c] = old[c] - share * step[c]
