"""The compiled inner loop of Infomax by batches: batches of any size, down to single rows, without a call a batch."""

import math

import numpy as np

from unmix.algorithms.independent.online_kernel import multiply, transpose
from unmix.core.compiled.kernel import kernel

NATURAL, GRADIENT, NEWTON = 0, 1, 2
SQUARE, FLAT_SLOPE, FLAT_PRODUCT, PEAKED_SLOPE, PEAKED_CURVATURE, FLAT_CURVATURE = range(6)  # rows of ``running``
LEAST_EIGENVALUE = 0.2  # of a block of the Hessian, whose running estimate is noisy
LARGEST_STEP = 0.5  # a wild batch turns the unmixing, it does not throw it away


@kernel(error_model="numpy")
def learn_batches(
    rows: np.ndarray, weights: np.ndarray, matrix: np.ndarray, flat: np.ndarray, running: np.ndarray,
    rates: np.ndarray, shares: np.ndarray, judged: np.ndarray, size: int, rule: int, sources: np.ndarray,
    scores: np.ndarray, sums: np.ndarray, ascent: np.ndarray, room: np.ndarray, step: np.ndarray,
) -> None:  # fmt: skip
    """Learn from centred rows in order, ``size`` a batch; changes ``matrix``, ``flat`` and ``running`` (6, k).

    For each batch: its step, its share in the running means, and whether these may choose the densities. The rest is
    room: for the ``sources`` (size, k) of a batch and their ``scores`` (k, size), zero beyond a batch that is not full,
    for ``sums`` (6, k), and for three matrices of the size of the unmixing.
    """
    n, k = rows.shape[0], matrix.shape[0]
    for batch in range(rates.size):
        first = batch * size
        last = min(first + size, n)
        transpose(matrix, room)
        multiply(rows[first:last], room, sources[: last - first])
        mass = add_scores(sources, weights[first:last], flat, scores, sums)
        multiply(scores, sources, ascent)
        for i in range(k):
            for j in range(k):
                ascent[i, j] = (1.0 if i == j else 0.0) - ascent[i, j] / mass
            for which in range(6):
                running[which, i] += shares[batch] * (sums[which, i] / mass - running[which, i])
        if rule == NEWTON:
            solve_pairs(ascent, flat, running)
        limited(ascent, rates[batch])
        if rule == GRADIENT:
            invert(room, step)  # the transpose of the matrix
        multiply(ascent, step if rule == GRADIENT else matrix, room)
        for i in range(k):
            for j in range(k):
                matrix[i, j] += room[i, j]
            if judged[batch]:  # Stein: E[t'] E[s²] - E[t s] is negative for flat sources
                flat[i] = running[FLAT_SLOPE, i] * running[SQUARE, i] < running[FLAT_PRODUCT, i]


@kernel(error_model="numpy")
def invert(matrix: np.ndarray, out: np.ndarray) -> None:
    """By Gauss and Jordan, with row pivots; uses up ``matrix``."""
    k = matrix.shape[0]
    for i in range(k):
        for j in range(k):
            out[i, j] = i == j
    for c in range(k):
        pivot = c
        for i in range(c + 1, k):
            pivot = i if abs(matrix[i, c]) > abs(matrix[pivot, c]) else pivot
        scale = 1.0 / matrix[pivot, c]
        for j in range(k):
            matrix[c, j], matrix[pivot, j] = matrix[pivot, j], matrix[c, j]
            out[c, j], out[pivot, j] = out[pivot, j], out[c, j]
            matrix[c, j] *= scale
            out[c, j] *= scale
        for i in range(k):
            share = matrix[i, c] if i != c else 0.0
            for j in range(k):
                matrix[i, j] -= share * matrix[c, j]
                out[i, j] -= share * out[c, j]


@kernel(error_model="numpy")
def add_scores(s: np.ndarray, weights: np.ndarray, flat: np.ndarray, scores: np.ndarray, sums: np.ndarray) -> float:
    """w φ(s) into ``scores``, weighted sums for the running means into ``sums``; returns the weight of the rows."""
    mass = 0.0
    for i in range(s.shape[1]):
        for which in range(6):
            sums[which, i] = 0.0
        for r in range(weights.size, scores.shape[1]):
            scores[i, r] = 0.0
    for r in range(weights.size):
        w = weights[r]
        mass += w
        for i in range(s.shape[1]):
            y = s[r, i]
            u = math.exp(-abs(y))
            half = (1.0 - u) / (1.0 + u) if y > 0 else (u - 1.0) / (1.0 + u)  # tanh(y / 2)
            t = 2.0 * half / (1.0 + half * half)  # tanh(y)
            slope, square = 0.5 - 0.5 * half * half, w * y * y
            sums[SQUARE, i] += square
            sums[FLAT_SLOPE, i] += w * (1.0 - t * t)
            sums[FLAT_PRODUCT, i] += w * t * y
            sums[PEAKED_SLOPE, i] += w * slope
            sums[PEAKED_CURVATURE, i] += slope * square
            sums[FLAT_CURVATURE, i] += t * t * square
            scores[i, r] = w * (y - t) if flat[i] else w * half
    return mass


@kernel(error_model="numpy")
def solve_pairs(ascent: np.ndarray, flat: np.ndarray, running: np.ndarray) -> None:
    """H⁻¹ A in place, pair by pair: [[h_ij, 1], [1, h_ji]], h_ij = E[φ'(s_i)] E[s_j²], kept positive by a shift."""
    k = ascent.shape[0]
    for i in range(k):
        slope = 1.0 - running[FLAT_SLOPE, i] if flat[i] else running[PEAKED_SLOPE, i]
        for j in range(i):
            other = 1.0 - running[FLAT_SLOPE, j] if flat[j] else running[PEAKED_SLOPE, j]
            a, b = slope * running[SQUARE, j], other * running[SQUARE, i]
            least = 0.5 * (a + b - math.sqrt((a - b) * (a - b) + 4.0))
            shift = LEAST_EIGENVALUE - least if least < LEAST_EIGENVALUE else 0.0
            a, b = a + shift, b + shift
            x, y = ascent[i, j], ascent[j, i]
            ascent[i, j], ascent[j, i] = (b * x - y) / (a * b - 1.0), (a * y - x) / (a * b - 1.0)
        ascent[i, i] /= 1.0 + (running[FLAT_CURVATURE, i] if flat[i] else running[PEAKED_CURVATURE, i])


@kernel
def limited(ascent: np.ndarray, rate: float) -> None:
    """Scale to the step of this rate, or to the largest allowed."""
    largest = 0.0
    for i in range(len(ascent)):
        for j in range(len(ascent)):
            largest = abs(ascent[i, j]) if abs(ascent[i, j]) > largest else largest
    scale = rate if rate * largest <= LARGEST_STEP else LARGEST_STEP / largest
    for i in range(len(ascent)):
        for j in range(len(ascent)):
            ascent[i, j] *= scale
