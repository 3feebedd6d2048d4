"""One row under the Kullback-Leibler divergence, coordinate by coordinate, with steps that never raise it.

    f(δ) = r δ - Σ_j x_j log(y_j + δ u_j),   f' = r - S(δ),   S(δ) = Σ_j x_j u_j / (y_j + δ u_j)

1/S is concave, so its tangent gives a model of S that is never too large: S ≈ s²/h / (δ + s/h) with s = S(0) and
h = -S'(0), exact for one j, and better than Newton's step (the tangent of S itself).  Its root lies at or left of the
minimum.  Moving right it is therefore safe; moving left it is cut at the multiplicative step z s / r, which never
raises f, and a coordinate whose gradient at zero is not negative goes to zero at once.  Sweeps over the coordinates and
steps of Newton's method in all of them take turns.
"""

import math

import numpy as np

from unmix.algorithms.nonnegative.divergences.newton_kernel import newton_step
from unmix.core.compiled.kernel import kernel

LOSS = 1.0  # its β
FAST = {"reassoc", "contract", "arcp"}  # sums may be reordered, so that they run in parallel lanes


@kernel(fastmath=FAST, no_cpython_wrapper=True)
def coordinate_descent(
    parts: np.ndarray, count: int, reach: np.ndarray, code: np.ndarray, l1: float, l2: float, most: int, share: float,
    floor: float, lanes: np.ndarray,
) -> bool:  # fmt: skip
    """Improve one row; whether it still moves.

    ``parts`` (k, ≥ count) are the components at its positive entries, the first of the ``lanes``; the others become
    the fitted values and their inverses.
    """
    k, zero, one = code.size, code.dtype.type(0), code.dtype.type(1)
    x, y, inverse, enough = lanes[0], lanes[1], lanes[2], zero
    for p in range(count):
        enough += x[p] * share
        y[p] = zero
    for c in range(k):
        if code[c] > zero:
            for p in range(count):
                y[p] += code[c] * parts[c, p]
    for p in range(count):
        y[p] = y[p] if y[p] > floor else floor
        inverse[p] = one / y[p]
    for _ in range(most):
        moved = zero
        for c in range(k):
            u, rate, old, first, second = parts[c], reach[c] + l1, code[c], zero, zero
            for p in range(count):
                portion = u[p] * inverse[p]
                first += x[p] * portion
                second += x[p] * portion * portion
            new = zero  # if no entry asks for it
            if second > zero:
                slope, span, product = rate + l2 * old, first / second, old * first
                room, both = first * span - slope * span, slope + l2 * span
                under = both * both + 4 * l2 * room
                new = old + 2 * room / (both + math.sqrt(under if under > 0 else 0.0))
                if new < old:
                    needed = zero
                    if (
                        new <= 0
                    ):  # what is asked for where this coordinate is zero; all, if nothing else explains an entry
                        for p in range(count):
                            rest = y[p] - old * u[p]
                            needed += x[p] * u[p] / (rest if rest > floor else floor)
                    multiplied = 2 * product / (rate + math.sqrt(rate * rate + 4 * l2 * product))
                    new = zero if new <= 0 and rate >= needed else max(new, multiplied)
            if rate + l2 <= zero:
                new = old  # nothing holds it back and nothing asks for it
            code[c] = new
            step = code[c] - old
            if step != zero:
                for p in range(count):
                    fitted = y[p] + step * u[p]
                    y[p] = fitted if fitted > floor else floor
                    inverse[p] = one / y[p]
                moved += abs(step) * reach[c]
        if moved <= enough:
            return False
    return True


@kernel(no_cpython_wrapper=True)
def misfit(lanes: np.ndarray, count: int, reach: np.ndarray, code: np.ndarray) -> float:
    """Σ x log(x / y) - x + Σ y."""
    total = 0.0
    for p in range(count):
        total += lanes[0, p] * (math.log(lanes[0, p] / lanes[1, p]) - 1.0)
    for c in range(code.size):
        total += np.float64(code[c]) * reach[c]
    return total


@kernel
def dense_rows(
    block: np.ndarray, components: np.ndarray, reach: np.ndarray, codes: np.ndarray, l1: float, l2: float, turns: int,
    most: int, share: float, floor: float, found: np.ndarray, lanes: np.ndarray, parts: np.ndarray, room: np.ndarray,
    own: np.ndarray, places: np.ndarray,
) -> None:  # fmt: skip
    """Rows of an array; NaN is not observed, and then asks nothing of the components either."""
    (n, d), k, zero = block.shape, components.shape[0], codes.dtype.type(0)
    for i in range(n):
        count = np.int64(0)  # typed: with a literal, what is called with it would be compiled twice
        for c in range(k):
            own[c] = reach[c]
        for j in range(d):
            if block[i, j] > zero:
                lanes[0, count], places[count] = block[i, j], j
                count += 1
            elif math.isnan(block[i, j]):
                for c in range(k):
                    own[c] = own[c] - components[c, j] if own[c] > components[c, j] else zero
        if count < d:
            for c in range(k):
                for p in range(count):
                    parts[c, p] = components[c, places[p]]
        used = components if count == d else parts
        room[codes.shape[1] + 2, 0] = math.inf
        for turn in range(turns):
            moves = coordinate_descent(used, count, own, codes[i], l1, l2, most, share, floor, lanes)
            if not moves or turn == turns - 1:
                break  # at the one minimum there is, or at the end
            newton_step(used, count, own, codes[i], LOSS, l1, l2, floor, lanes, room, not moves)
        if found.size > 0:
            found[i] = misfit(lanes, count, own, codes[i])


@kernel
def sparse_rows(
    data: np.ndarray, indices: np.ndarray, indptr: np.ndarray, turned: np.ndarray, reach: np.ndarray,
    codes: np.ndarray, l1: float, l2: float, turns: int, most: int, share: float, floor: float, found: np.ndarray,
    lanes: np.ndarray, parts: np.ndarray, room: np.ndarray,
) -> None:  # fmt: skip
    """Rows of a CSR array; ``turned`` is Uᵀ (d, k)."""
    for i in range(codes.shape[0]):
        count = np.int64(0)
        for p in range(indptr[i], indptr[i + 1]):
            if data[p] > 0:
                lanes[0, count] = data[p]
                for c in range(codes.shape[1]):
                    parts[c, count] = turned[indices[p], c]
                count += 1
        room[codes.shape[1] + 2, 0] = math.inf
        for turn in range(turns):
            moves = coordinate_descent(parts, count, reach, codes[i], l1, l2, most, share, floor, lanes)
            if not moves or turn == turns - 1:
                break
            newton_step(parts, count, reach, codes[i], LOSS, l1, l2, floor, lanes, room, not moves)
        if found.size > 0:
            found[i] = misfit(lanes, count, reach, codes[i])
