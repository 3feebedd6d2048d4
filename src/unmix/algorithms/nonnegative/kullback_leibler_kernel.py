"""One row under the Kullback-Leibler divergence, coordinate by coordinate, with steps that never raise it.

    f(δ) = r δ - Σ_j x_j log(y_j + δ u_j),   f' = r - S(δ),   S(δ) = Σ_j x_j u_j / (y_j + δ u_j)

1/S is concave, so its tangent gives a model of S that is never too large: S ≈ s²/h / (δ + s/h) with s = S(0) and
h = -S'(0), exact for one j, and better than Newton's step (the tangent of S itself).  Its root lies at or left of the
minimum.  Moving right it is therefore safe; moving left it is cut at the multiplicative step z s / r, which never
raises f, and a coordinate whose gradient at zero is not negative goes to zero at once.  What many sweeps would only
approach, a step of Newton's method in all coordinates that are not zero reaches at once.
"""

import numpy as np
from numba import njit

from unmix.algorithms.nonnegative.active_set import factor, substitute

LEAP = 5  # sweeps to a step of Newton's method
FAST = {"reassoc", "contract", "arcp"}  # sums may be reordered, so that they run in parallel lanes


@njit(cache=True, nogil=True, fastmath=FAST)
def pull(x: np.ndarray, u: np.ndarray, inverse: np.ndarray, count: int) -> tuple:  # type: ignore[type-arg]
    """S(0) and -S'(0)."""
    first = second = x.dtype.type(0)
    for p in range(count):
        share = u[p] * inverse[p]
        first += x[p] * share
        second += x[p] * share * share
    return first, second


@njit(cache=True, nogil=True, fastmath=FAST)
def pull_at_zero(x: np.ndarray, u: np.ndarray, y: np.ndarray, count: int, code: float, floor: float) -> float:
    """S where this coordinate is zero; infinite where nothing else explains an entry."""
    total = x.dtype.type(0)
    for p in range(count):
        rest = max(y[p] - code * u[p], floor)
        total += x[p] * u[p] / rest
    return total


@njit(cache=True, nogil=True)
def shift(u: np.ndarray, y: np.ndarray, inverse: np.ndarray, count: int, step: float, floor: float) -> None:
    one = y.dtype.type(1)
    for p in range(count):
        told = y[p] + step * u[p]
        told = told if told > floor else floor
        y[p] = told
        inverse[p] = one / told


@njit(cache=True, nogil=True)
def target(code: float, rate: float, ridge: float, first: float, second: float) -> tuple:  # type: ignore[type-arg]
    """Where the model and the multiplicative rule want the coordinate; ``rate`` = r + l1, ``ridge`` = l2."""
    reach, slope = first / second, rate + ridge * code
    room = first * reach - slope * reach
    both = slope + ridge * reach
    model = code + 2 * room / (both + np.sqrt(max(both * both + 4 * ridge * room, 0)))
    product = code * first
    return model, 2 * product / (rate + np.sqrt(rate * rate + 4 * ridge * product))


@njit(cache=True, nogil=True)
def tell(parts: np.ndarray, count: int, code: np.ndarray, y: np.ndarray, inverse: np.ndarray, floor: float) -> None:
    """Told values of a code, and their inverses."""
    kind = code.dtype.type
    for p in range(count):
        y[p] = kind(0)
    for c in range(code.size):
        if code[c] > 0:
            for p in range(count):
                y[p] += code[c] * parts[c, p]
    shift(parts[0], y, inverse, count, kind(0), floor)


@njit(cache=True, nogil=True, fastmath=FAST)
def product(left: np.ndarray, right: np.ndarray, count: int) -> float:
    total = 0.0
    for p in range(count):
        total += left[p] * right[p]
    return total


@njit(cache=True, nogil=True)
def value(x: np.ndarray, y: np.ndarray, count: int, reach: np.ndarray, code: np.ndarray, l1: float, l2: float) -> float:
    """The objective, up to what depends on x alone."""
    total = 0.0
    for p in range(count):
        total -= x[p] * np.log(y[p])
    for c in range(code.size):
        total += np.float64(code[c]) * (reach[c] + l1 + 0.5 * l2 * code[c])
    return total


@njit(cache=True, nogil=True)
def leap(
    x: np.ndarray, parts: np.ndarray, count: int, reach: np.ndarray, code: np.ndarray, y: np.ndarray,
    inverse: np.ndarray, l1: float, l2: float, floor: float,
) -> None:  # fmt: skip
    """A step of Newton's method in the coordinates that are not zero, if it lowers the objective."""
    kind, k, size, old = code.dtype.type, code.size, 0, code.copy()
    support, step, bent = np.empty(k, np.int64), np.empty(k), np.empty(count)
    hessian, lower = np.empty((k, k)), np.empty((k, k))
    before = value(x, y, count, reach, code, l1, l2)
    for c in range(k):
        if code[c] > 0:
            support[size] = c
            size += 1
    for i in range(size):
        c = support[i]
        step[i] = reach[c] + l1 + l2 * code[c]
        for p in range(count):
            pulled = np.float64(parts[c, p]) * x[p] * inverse[p]
            step[i] -= pulled
            bent[p] = pulled * inverse[p]
        for j in range(i + 1):
            hessian[c, support[j]] = product(bent, parts[support[j]], count)
        hessian[c, c] += l2
    if not factor(hessian, support, size, lower):
        return
    substitute(lower, size, step)
    share = 1.0
    for i in range(size):
        if step[i] > 0:
            share = min(share, 0.9 * old[support[i]] / step[i])
    for i in range(size):
        code[support[i]] = kind(old[support[i]] - share * step[i])
    tell(parts, count, code, y, inverse, floor)
    if not value(x, y, count, reach, code, l1, l2) < before:
        code[:] = old
        tell(parts, count, code, y, inverse, floor)


@njit(cache=True, nogil=True)
def coordinate_descent(
    x: np.ndarray,
    parts: np.ndarray,
    count: int,
    reach: np.ndarray,
    code: np.ndarray,
    y: np.ndarray,
    inverse: np.ndarray,
    l1: float,
    l2: float,
    most: int,
    share: float,
    floor: float,
) -> None:
    """Improve one row; ``parts`` (k, ≥ count) are the components at its positive entries, ``y`` the told values."""
    kind, k = code.dtype.type, code.size
    enough = kind(0)
    for p in range(count):
        enough += x[p] * share
    tell(parts, count, code, y, inverse, floor)
    for sweep in range(most):
        if sweep % LEAP == LEAP - 1:
            leap(x, parts, count, reach, code, y, inverse, l1, l2, floor)
        moved = kind(0)
        for c in range(k):
            rate, old = reach[c] + l1, code[c]
            first, second = pull(x, parts[c], inverse, count)
            if not second > 0:  # no entry asks for it
                new = kind(0)
            else:
                model, multiplied = target(old, rate, l2, first, second)
                new = kind(model)
                if model < old:
                    at_zero = np.inf
                    if model <= 0:
                        at_zero = pull_at_zero(x, parts[c], y, count, old, floor)
                    new = kind(0) if rate >= at_zero else kind(max(model, multiplied))
            if rate + l2 <= 0:
                new = old  # nothing holds it back and nothing asks for it
            if new != old:
                code[c] = new
                shift(parts[c], y, inverse, count, new - old, floor)
                moved += abs(new - old) * reach[c]
        if moved <= enough:
            break


@njit(cache=True, nogil=True)
def misfit(x: np.ndarray, y: np.ndarray, count: int, reach: np.ndarray, code: np.ndarray) -> float:
    """Σ x log(x / y) - x + Σ y."""
    total = 0.0
    for p in range(count):
        total += x[p] * (np.log(x[p] / y[p]) - 1.0)
    for c in range(code.size):
        total += np.float64(code[c]) * reach[c]
    return total


@njit(cache=True, nogil=True)
def dense_rows(
    block: np.ndarray,
    components: np.ndarray,
    reach: np.ndarray,
    codes: np.ndarray,
    l1: float,
    l2: float,
    most: int,
    share: float,
    floor: float,
    measured: bool,
) -> float:
    """Rows of an array; NaN is not observed, and then asks nothing of the components either."""
    (n, d), k = block.shape, components.shape[0]
    x, y, inverse = np.empty(d, codes.dtype), np.empty(d, codes.dtype), np.empty(d, codes.dtype)
    own, parts, places = np.empty(k, codes.dtype), np.empty((k, d), codes.dtype), np.empty(d, np.int64)
    total = 0.0
    for i in range(n):
        count = 0
        for c in range(k):
            own[c] = reach[c]
        for j in range(d):
            value = block[i, j]
            if value > 0:
                x[count], places[count] = value, j
                count += 1
            elif np.isnan(value):
                for c in range(k):
                    own[c] = max(own[c] - components[c, j], codes.dtype.type(0))
        if count < d:
            for c in range(k):
                for p in range(count):
                    parts[c, p] = components[c, places[p]]
        used = components if count == d else parts
        coordinate_descent(x, used, count, own, codes[i], y, inverse, l1, l2, most, share, floor)
        if measured:
            total += misfit(x, y, count, own, codes[i])
    return total


@njit(cache=True, nogil=True)
def sparse_rows(
    data: np.ndarray,
    indices: np.ndarray,
    indptr: np.ndarray,
    turned: np.ndarray,
    reach: np.ndarray,
    codes: np.ndarray,
    l1: float,
    l2: float,
    most: int,
    share: float,
    floor: float,
    measured: bool,
) -> float:
    """Rows of a CSR array; ``turned`` is Uᵀ (d, k)."""
    n, k = codes.shape
    longest = 1
    for i in range(n):
        longest = max(longest, indptr[i + 1] - indptr[i])
    x, y, inverse = np.empty(longest, codes.dtype), np.empty(longest, codes.dtype), np.empty(longest, codes.dtype)
    parts = np.empty((k, longest), codes.dtype)
    total = 0.0
    for i in range(n):
        count = 0
        for p in range(indptr[i], indptr[i + 1]):
            if data[p] > 0:
                x[count] = data[p]
                for c in range(k):
                    parts[c, count] = turned[indices[p], c]
                count += 1
        coordinate_descent(x, parts, count, reach, codes[i], y, inverse, l1, l2, most, share, floor)
        if measured:
            total += misfit(x, y, count, reach, codes[i])
    return total
