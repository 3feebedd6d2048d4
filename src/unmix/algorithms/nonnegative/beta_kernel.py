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

import numpy as np
from numba import njit

from unmix.algorithms.nonnegative.active_set import factor, substitute
from unmix.algorithms.nonnegative.kullback_leibler_kernel import product

LEAP = 5  # sweeps to a step of Newton's method, which ends what sweeps approach slowly
FAST = {"reassoc", "contract", "arcp"}  # sums may be reordered, so that they run in parallel lanes


@njit(cache=True, nogil=True, fastmath=FAST)
def pull(u: np.ndarray, inverse: np.ndarray, low: np.ndarray, high: np.ndarray, count: int) -> tuple:  # type: ignore[type-arg]
    """r, s and q."""
    rate = first = second = u.dtype.type(0)
    for p in range(count):
        rate += u[p] * low[p]
        pulled = u[p] * high[p]
        first += pulled
        second += pulled * u[p] * inverse[p]
    return rate, first, second


@njit(cache=True, nogil=True)
def bend(u: np.ndarray, inverse: np.ndarray, low: np.ndarray, high: np.ndarray, count: int, loss: float) -> float:
    """The second derivative of the divergence, or of h."""
    total = u.dtype.type(0)
    for p in range(count):
        total += u[p] * u[p] * inverse[p] * (max(loss - 1, 0) * low[p] + (2 - loss) * high[p])
    return total


@njit(cache=True, nogil=True)
def pull_at_zero(
    x: np.ndarray, u: np.ndarray, y: np.ndarray, count: int, code: float, loss: float, floor: float
) -> tuple:  # type: ignore[type-arg]
    """r and s where this coordinate is zero; s is very large where nothing else explains an entry."""
    rate = first = u.dtype.type(0)
    for p in range(count):
        rest = max(y[p] - code * u[p], floor)
        power = rest ** (loss - 2)
        rate += u[p] * power * rest
        first += u[p] * power * x[p]
    return rate, first


@njit(cache=True, nogil=True)
def shift(
    x: np.ndarray,
    u: np.ndarray,
    y: np.ndarray,
    inverse: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    count: int,
    step: float,
    loss: float,
    floor: float,
) -> None:
    """Told values after a step, and their powers 1/y, y^(β-1) and x y^(β-2)."""
    one = y.dtype.type(1)
    for p in range(count):
        told = y[p] + step * u[p]
        y[p] = told if told > floor else floor
        inverse[p] = one / y[p]
        low[p] = inverse[p]
    if loss != 0:
        for p in range(count):
            low[p] = y[p] ** (loss - 1)
    for p in range(count):
        high[p] = x[p] * low[p] * inverse[p]


@njit(cache=True, nogil=True)
def aim(
    x: np.ndarray,
    u: np.ndarray,
    y: np.ndarray,
    inverse: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    count: int,
    old: float,
    loss: float,
    l1: float,
    l2: float,
    power: float,
    floor: float,
) -> tuple:  # type: ignore[type-arg]
    """Where one coordinate goes, and r, by which a change of it is measured."""
    rate, first, second = pull(u, inverse, low, high, count)
    slope = rate + l1 + l2 * old
    if slope <= 0 or first <= 0:
        return old * 0, rate  # no observed entry has it, or none asks for it
    step = (first / slope) ** power
    model = old * step
    if old == 0 and first > slope and (l2 > 0 or loss > 1):
        return (first - slope) / (l2 + bend(u, inverse, low, high, count, loss)), rate
    if loss < 1 and l2 == 0 and np.isfinite(second) and second > 0:
        model = max(old + first / second * (step - 1), model)
    if first < slope and loss < 2 and old > 0:
        at_zero, needed = pull_at_zero(x, u, y, count, old, loss, floor)
        if (rate if loss < 1 else at_zero) + l1 >= needed:
            return old * 0, rate
    return model, rate


@njit(cache=True, nogil=True)
def slopes(
    parts: np.ndarray, inverse: np.ndarray, low: np.ndarray, high: np.ndarray, count: int, loss: float,
    support: np.ndarray, size: int, hessian: np.ndarray, slope: np.ndarray,
) -> None:  # fmt: skip
    """First and second derivatives of the divergence in the coordinates of the support."""
    bent = np.empty(count)
    for i in range(size):
        slope[i] = 0.0
        for p in range(count):
            part = np.float64(parts[support[i], p])
            slope[i] += part * (low[p] - high[p])
            bent[p] = part * inverse[p] * ((loss - 1) * low[p] + (2 - loss) * high[p])
        for j in range(i + 1):
            hessian[support[i], support[j]] = product(bent, parts[support[j]], count)


@njit(cache=True, nogil=True)
def misfit(x: np.ndarray, y: np.ndarray, low: np.ndarray, count: int, loss: float) -> float:
    """The divergence, up to what depends on x alone; the same to the last bit in any unit, a power of two."""
    total = 0.0
    for p in range(count):
        if loss == 0:
            ratio = x[p] * low[p]
            total += ratio - np.log(ratio)
        else:
            total += low[p] * (y[p] / loss - x[p] / (loss - 1))
    return total


@njit(cache=True, nogil=True)
def tell(parts: np.ndarray, code: np.ndarray, count: int, y: np.ndarray) -> None:
    for p in range(count):
        y[p] = 0
    for c in range(code.size):
        if code[c] > 0:
            for p in range(count):
                y[p] += code[c] * parts[c, p]


@njit(cache=True, nogil=True)
def leap(
    x: np.ndarray, parts: np.ndarray, count: int, code: np.ndarray, y: np.ndarray, inverse: np.ndarray, low: np.ndarray,
    high: np.ndarray, loss: float, l1: float, l2: float, floor: float, hessian: np.ndarray, lower: np.ndarray,
) -> None:  # fmt: skip
    """A step of Newton's method in the coordinates that are not zero, if it lowers the objective."""
    k, size, kind = code.size, 0, code.dtype.type
    support, step, old = np.empty(k, np.int64), np.empty(k), code.copy()
    before = misfit(x, y, low, count, loss)
    for c in range(k):
        before += code[c] * (l1 + 0.5 * l2 * code[c])
        if code[c] > 0:
            support[size] = c
            size += 1
    slopes(parts, inverse, low, high, count, loss, support, size, hessian, step)
    share = 1.0
    for i in range(size):
        hessian[support[i], support[i]] += l2
        step[i] += l1 + l2 * code[support[i]]
    if not factor(hessian, support, size, lower):
        return
    substitute(lower, size, step)
    for i in range(size):
        if step[i] > 0:
            share = min(share, 0.9 * old[support[i]] / step[i])
    after = 0.0
    for i in range(size):
        code[support[i]] = kind(old[support[i]] - share * step[i])
    tell(parts, code, count, y)
    shift(x, parts[0], y, inverse, low, high, count, kind(0), loss, floor)
    for c in range(k):
        after += code[c] * (l1 + 0.5 * l2 * code[c])
    if not after + misfit(x, y, low, count, loss) < before:
        code[:] = old
        tell(parts, code, count, y)
        shift(x, parts[0], y, inverse, low, high, count, kind(0), loss, floor)


@njit(cache=True, nogil=True)
def begin(x: np.ndarray, parts: np.ndarray, count: int, code: np.ndarray, y: np.ndarray) -> None:
    """Equal codes, of which the told values are right on average."""
    kind, k = code.dtype.type, code.size
    total, told = kind(0), kind(0)
    for p in range(count):
        y[p] = kind(0)
        for c in range(k):
            y[p] += parts[c, p]
        if y[p] > 0:
            total += x[p] / y[p]
            told += kind(1)
    level = total / told if told > 0 else kind(0)
    for c in range(k):
        code[c] = level
    for p in range(count):
        y[p] *= level


@njit(cache=True, nogil=True)
def coordinate_descent(
    x: np.ndarray,
    parts: np.ndarray,
    count: int,
    code: np.ndarray,
    y: np.ndarray,
    inverse: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    loss: float,
    l1: float,
    l2: float,
    power: float,
    most: int,
    share: float,
    floor: float,
    hessian: np.ndarray,
    lower: np.ndarray,
) -> None:
    """The code of one row; ``parts`` (k, ≥ count) are the components at its observed entries."""
    kind, k = code.dtype.type, code.size
    begin(x, parts, count, code, y)
    shift(x, parts[0], y, inverse, low, high, count, kind(0), loss, floor)
    for sweep in range(most):
        if sweep % LEAP == LEAP - 1:
            leap(x, parts, count, code, y, inverse, low, high, loss, l1, l2, floor, hessian, lower)
        moved = told = kind(0)
        for c in range(k):
            old = code[c]
            new, rate = aim(x, parts[c], y, inverse, low, high, count, old, loss, l1, l2, power, floor)
            new = kind(new)
            told += max(old, new) * rate
            if new != old:
                code[c] = new
                shift(x, parts[c], y, inverse, low, high, count, new - old, loss, floor)
                moved += abs(new - old) * rate
        if moved <= told * share:
            break


@njit(cache=True, nogil=True)
def solve_dense(
    block: np.ndarray,
    components: np.ndarray,
    codes: np.ndarray,
    loss: float,
    l1: float,
    l2: float,
    most: int,
    share: float,
    least: float,
) -> None:
    """Rows of an array; NaN is not observed.  Told values are at least ``least`` times the largest entry of the row."""
    (n, d), k = block.shape, components.shape[0]
    kind = codes.dtype.type
    x, y, inverse = np.empty(d, codes.dtype), np.empty(d, codes.dtype), np.empty(d, codes.dtype)
    low, high = np.empty(d, codes.dtype), np.empty(d, codes.dtype)
    parts, hessian, lower = np.empty((k, d), codes.dtype), np.empty((k, k)), np.empty((k, k))
    power = kind(1 / max(2 - loss if loss < 1 else max(1.0, loss - 1), 3 - loss if l2 > 0 else 0.0))
    for i in range(n):
        count, largest = 0, kind(0)
        for j in range(d):
            value = block[i, j]
            if not np.isnan(value):
                x[count], largest = value, max(largest, value)
                for c in range(k):
                    parts[c, count] = components[c, j]
                count += 1
        if largest == 0:
            codes[i] = kind(0)
        else:
            floor = least * largest
            coordinate_descent(
                x,
                parts,
                count,
                codes[i],
                y,
                inverse,
                low,
                high,
                loss,
                l1,
                l2,
                power,
                most,
                share,
                floor,
                hessian,
                lower,
            )
