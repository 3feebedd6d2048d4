"""The codes of one row under a divergence with β other than 1 and 2, one coordinate at a time; no step raises it.

Below β = 1, y^β / β (log y for β = 0) lies below its tangents.  In one coordinate, z ← z + δ, the objective is hence
below h with

    h'(δ) = r - S(δ),   r = Σ_j u_j y_j^(β-1),   S(δ) = Σ_j x_j u_j (y_j + δ u_j)^(β-2)

S^(-1/p) is concave, p = 2 - β, so its tangent gives a model of S that is never too large, S ≈ s (1 + δ q / s)^(-p) with
s = S(0) and p q = -S'(0), exact for one j.  Its root lies at or left of the minimum of h.  Moving right it is therefore
safe; moving left it is cut at the multiplicative step z (s / r)^(1/p), which never raises h.  Above β = 1, and with a
penalty l2, the multiplicative step alone is taken (loss.py).  Up to β = 2 a coordinate goes to zero at once if
the objective, or h, rises from there on; it leaves zero by a step of Newton's, safe there as the slope is concave.
"""

import math

import numpy as np

from unmix.algorithms.nonnegative.divergences.newton_kernel import newton_step
from unmix.core.compiled.kernel import kernel

# what overflows on the way is taken back with the step that led there, and must not raise an error: error_model="numpy"
FAST = {"reassoc", "contract", "arcp"}  # sums may be reordered, so that they run in parallel lanes


@kernel(fastmath=FAST, error_model="numpy", no_cpython_wrapper=True)
def aim(
    u: np.ndarray, lanes: np.ndarray, count: int, old: float, loss: float, l1: float, l2: float, power: float,
    floor: float,
) -> tuple:  # type: ignore[type-arg]  # fmt: skip
    """Where one coordinate goes, and r, by which a change of it is measured; ``lanes`` are those of `sweep_rows`."""
    x, y, inverse, low, high = lanes[0], lanes[1], lanes[2], lanes[3], lanes[4]
    rate = first = second = bent = u.dtype.type(0)
    for p in range(count):  # r, s, q and the second derivative of the divergence, or of h
        rate += u[p] * low[p]
        pulled = u[p] * high[p]
        first += pulled
        second += pulled * u[p] * inverse[p]
    slope = rate + l1 + l2 * old
    if slope <= 0 or first <= 0:
        return old * 0, rate  # no observed entry has it, or none asks for it
    step = (first / slope) ** power
    model = old * step
    if old == 0 and first > slope and (l2 > 0 or loss > 1):
        convex = loss - 1 if loss > 1 else loss * 0
        for p in range(count):
            bent += u[p] * u[p] * inverse[p] * (convex * low[p] + (2 - loss) * high[p])
        return (first - slope) / (l2 + bent), rate
    if loss < 1 and l2 == 0 and second > 0 and not math.isinf(second):
        model = max(old + first / second * (step - 1), model)
    if first < slope and loss < 2 and old > 0:
        at_zero = needed = u.dtype.type(0)  # r and s where this coordinate is zero
        for p in range(count):
            rest = y[p] - old * u[p]
            rest = rest if rest > floor else floor
            raised = u[p] * rest ** (loss - 2)
            at_zero += raised * rest
            needed += raised * x[p]
        if (rate if loss < 1 else at_zero) + l1 >= needed:
            return old * 0, rate
    return model, rate


@kernel(error_model="numpy")
def sweep_rows(
    block: np.ndarray, components: np.ndarray, codes: np.ndarray, floors: np.ndarray, loss: float, l1: float,
    l2: float, power: float, turns: int, most: int, share: float, rates: np.ndarray, lanes: np.ndarray,
    parts: np.ndarray, room: np.ndarray,
) -> None:  # fmt: skip
    """Rows of an array, NaN is not observed, fitted values are at least those of ``floors``; ``rates`` are zero.

    The lanes hold the observed entries of a row x, its fitted values y, 1/y, y^(β-1) and x y^(β-2).
    """
    (n, d), k, kind = block.shape, components.shape[0], codes.dtype.type
    x, y, inverse, low, high = lanes[0], lanes[1], lanes[2], lanes[3], lanes[4]
    for i in range(n):
        count, code, floor = np.int64(0), codes[i], floors[i]  # typed: a literal would compile twice
        for j in range(d):
            if not math.isnan(block[i, j]):
                x[count] = block[i, j]
                for c in range(k):
                    parts[c, count] = components[c, j]
                count += 1
        room[codes.shape[1] + 2, 0] = math.inf
        for sweep in range(turns * most):
            if sweep % most == 0:
                for p in range(count):
                    y[p] = kind(0)
                for c in range(k):
                    for p in range(count):
                        y[p] += code[c] * parts[c, p]
                step, last = kind(0), 0
            moved = size = kind(0)
            for c in range(k):
                if c == 0 or step != 0:  # powers of what the coordinate before has changed
                    for p in range(count):
                        now = y[p] + step * parts[last, p]
                        y[p] = now if now > floor else floor
                        inverse[p] = kind(1) / y[p]
                        low[p] = inverse[p]
                    if loss != 0:
                        for p in range(count):
                            low[p] = y[p] ** (loss - 1)
                    for p in range(count):
                        high[p] = x[p] * low[p] * inverse[p]
                old = code[c]
                new, rate = aim(parts[c], lanes, count, old, loss, l1, l2, power, floor)
                code[c] = new
                step, last = code[c] - old, c
                size += max(old, code[c]) * rate
                moved += abs(step) * rate
            done = moved <= size * share or sweep == turns * most - 1
            if done or sweep % most == most - 1:
                newton_step(parts, count, rates, code, loss, l1, l2, floor, lanes, room, done)
            if done:
                break
