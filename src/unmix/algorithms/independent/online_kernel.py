"""The compiled inner loop of the online rules: batches of rows, after each of which units are made orthonormal."""

import math

import numpy as np

from unmix.core.compiled.kernel import kernel

LOG_2 = math.log(2.0)
LOGCOSH, EXP, CUBE = 0, 1, 2
KURTOSIS, NEGENTROPY, SCALED = 0, 1, 2  # a row pulls by sgn(γ) g, γ g, or sgn(curvature) (g - linear part)
LARGEST_ANGLE = 0.2  # between two units in one step
LARGEST_TURN = 0.5  # of all units together: from there on Newton's iteration may not find back
FEW = 4  # units up to which a loop is quicker than to call a library


@kernel(error_model="numpy")
def learn_rows(
    rows: np.ndarray, weights: np.ndarray, units: np.ndarray, running: np.ndarray, contrast: int, a: float,
    gaussian: float, linear: float, pull: int, least: float, rates: np.ndarray, memories: np.ndarray, size: int,
    sources: np.ndarray, pulls: np.ndarray, turn: np.ndarray, square: np.ndarray, room: np.ndarray,
) -> None:  # fmt: skip
    """Show whitened rows in order, ``size`` a batch with one of ``rates`` each; changes ``units`` and ``running``.

    ``running`` (2, k) holds γ and the curvature E[g(y) y - g'(y)] of every unit, ``memories`` the shares of the rows in
    them; ``gaussian`` and ``linear`` are E[G(ν)] and E[g'(ν)] of a Gaussian, ``least`` is the smallest curvature to
    divide by. The rest is room: for the ``sources`` (size, k) of a batch and their ``pulls`` (k, size), zero beyond a
    batch that is not full, and for three matrices of the size of the units.
    """
    n, k = rows.shape
    for batch in range(rates.size):
        first, mass = batch * size, 0.0
        last = min(first + size, n)
        transpose(units, room)
        multiply(rows[first:last], room, sources[: last - first])
        for r in range(last - first, pulls.shape[1]):
            for i in range(k):
                pulls[i, r] = 0.0
        for r in range(first, last):
            mass += weights[r]
            for i in range(k):
                y = sources[r - first, i]
                value, g, slope = respond(y, contrast, a)
                running[0, i] += memories[r] * (value - gaussian - running[0, i])
                running[1, i] += memories[r] * (g * y - slope - running[1, i])
                force = running[0, i]
                if pull == KURTOSIS:
                    force = 1.0 if force > 0 else -1.0
                if pull == SCALED:
                    force = 1.0 if running[1, i] > 0 else -1.0
                    g -= linear * y
                pulls[i, r - first] = weights[r] * force * g
        multiply(pulls, sources, turn)
        skew(turn, rates[batch] / mass, running[1], least if pull == SCALED else -1.0)
        rotate(units, turn, square, room)


@kernel
def transpose(matrix: np.ndarray, out: np.ndarray) -> None:
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            out[j, i] = matrix[i, j]


@kernel
def multiply(left: np.ndarray, right: np.ndarray, out: np.ndarray) -> None:
    """out = left right, all of them contiguous: a library is called, and compiled, for one kind of arrays."""
    if right.shape[1] > FEW:
        np.dot(left, right, out)
        return
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            total = 0.0
            for m in range(left.shape[1]):
                total += left[i, m] * right[m, j]
            out[i, j] = total


@kernel(error_model="numpy")
def respond(y: float, contrast: int, a: float) -> tuple[float, float, float]:
    """G, g = G' and g' = G'' of one number."""
    if contrast == CUBE:
        return 0.25 * y * y * y * y, y * y * y, 3.0 * y * y
    if contrast == EXP:
        bell = math.exp(-0.5 * y * y)
        return -bell, y * bell, (1.0 - y * y) * bell
    size = abs(a * y)
    u = math.exp(-2.0 * size)
    t = (1.0 - u) / (1.0 + u) if y > 0 else (u - 1.0) / (1.0 + u)
    return (size + math.log(1.0 + u) - LOG_2) / a, t, a * (1.0 - t * t)


@kernel
def skew(turn: np.ndarray, rate: float, curvatures: np.ndarray, least: float) -> None:
    """Leave of Σ pull yᵀ what turns units against each other, and never by much.

    With ``least`` from 0 up, each angle is divided by the curvatures of its two units.
    """
    largest = 0.0
    for i in range(turn.shape[0]):
        for j in range(i):
            value = 0.5 * rate * (turn[i, j] - turn[j, i])
            if least >= 0:
                bend = abs(curvatures[i]) + abs(curvatures[j])
                value *= 2.0 / (bend if bend > least else least)
            turn[i, j], turn[j, i] = value, -value
            largest = abs(value) if abs(value) > largest else largest
        turn[i, i] = 0.0
    if largest > LARGEST_ANGLE:
        for i in range(turn.shape[0]):
            for j in range(turn.shape[0]):
                turn[i, j] *= LARGEST_ANGLE / largest


@kernel
def rotate(units: np.ndarray, turn: np.ndarray, square: np.ndarray, room: np.ndarray) -> None:
    """B ← (I + T + T² / 2) B, the rotation exp(T) to second order; T shrinks where its norm may be large.

    Then (B Bᵀ)^(-1/2) B by Newton's iteration, from nearby: B ← (3 B - B Bᵀ B) / 2.
    """
    k, limit = units.shape[0], 1.0
    multiply(turn, turn, square)
    for i in range(k):  # ‖T‖² ≤ the largest sum of a row of |T²|
        total = 0.0
        for j in range(k):
            total += abs(square[i, j])
        if total * limit * limit > LARGEST_TURN * LARGEST_TURN:
            limit = LARGEST_TURN / math.sqrt(total)
    for i in range(k):
        for j in range(k):
            square[i, j] = limit * (turn[i, j] + 0.5 * limit * square[i, j])
    multiply(square, units, room)
    for i in range(k):
        for j in range(k):
            units[i, j] += room[i, j]
    transpose(units, room)
    multiply(units, room, square)
    multiply(square, units, room)
    for i in range(k):
        for j in range(k):
            units[i, j] = 1.5 * units[i, j] - 0.5 * room[i, j]
