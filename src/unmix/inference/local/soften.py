"""Gibbs marginals of rows that are independent given the prototypes.

    q_ic = exp(-beta h_ic) / Z_i,   Z_i = Σ_c exp(-beta h_ic)

exp(x) = 2^m exp(f) with m = round(x / ln 2) and |f| ≤ ½ ln 2; exp(f) is its Taylor polynomial, of degree 6 in
float32 (relative error below 3e-7) and 12 in float64 (below 1e-15), and 2^m is made by writing m into the exponent
bits, so that the compiler can work on a register of rows at once. Shares below exp(-41) = 1.6e-18 of the largest
are set to zero: they would not change a sum in float64, and a zero spares the work of adding it. A cluster without any
share in a run of rows costs no exponential there.
"""

import math
from functools import cache
from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel

LEAST = -41.0
RUN = 512  # rows
FEW = 2048  # distances, which NumPy takes about as fast as a kernel, and at once
LOG_2_HIGH = 0.693145751953125  # the first bits of ln 2: m times it is exact
LOG_2_LOW = 1.42860682030941723212e-6  # the rest


@cache
def constants(dtype: Any, least: float = LEAST) -> tuple[np.ndarray, Any]:
    """The numbers of the exponential in this precision, zero below exp(least), and the integer type of its bits."""
    single = np.dtype(dtype) == np.float32
    degree, digits = (6, 23) if single else (12, 52)
    rounder = 1.5 * 2.0**digits  # adding it leaves round(x) in the last bits
    series = [1 / math.factorial(i) if i <= degree else 0.0 for i in range(12, -1, -1)]
    numbers = np.array([least, 1 / math.log(2), rounder, LOG_2_HIGH, LOG_2_LOW, *series], dtype)
    return numbers, np.int32 if single else np.int64


@kernel(fastmath={"contract"})
def exponentials(x: np.ndarray, numbers: np.ndarray, work: np.ndarray, work_bits: np.ndarray) -> None:
    """x[r] <- exp(x[r]) for x ≤ 0, zero below LEAST; loops over rows stand inside, where they become registers."""
    least, per_log_2, rounder, high, low = numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]
    whole, power, value = work[0], work[1], work[2]
    c_12, c_11, c_10, c_9, c_8, c_7 = numbers[5], numbers[6], numbers[7], numbers[8], numbers[9], numbers[10]
    c_6, c_5, c_4, c_3 = numbers[11], numbers[12], numbers[13], numbers[14]
    c_2, c_1, c_0 = numbers[15], numbers[16], numbers[17]
    single = x.itemsize == 4  # known to the compiler, which leaves out the powers that single precision does not need
    bias, digits = (127, 23) if single else (1023, 52)
    for r in range(x.size):
        whole[r] = max(x[r], least) * per_log_2 + rounder
        m = whole[r] - rounder
        f = x[r] - m * high - m * low
        sum_6 = c_6 if single else (((((c_12 * f + c_11) * f + c_10) * f + c_9) * f + c_8) * f + c_7) * f + c_6
        value[r] = (((((sum_6 * f + c_5) * f + c_4) * f + c_3) * f + c_2) * f + c_1) * f + c_0
    for r in range(x.size):
        work_bits[1, r] = (work_bits[0, r] + bias) << digits
    for r in range(x.size):
        x[r] = value[r] * power[r] if x[r] > least else x.dtype.type(0)


@kernel(fastmath={"contract"})
def soften(
    h: np.ndarray,
    beta: float,
    weights: np.ndarray,
    log_z: np.ndarray,
    numbers: np.ndarray,
    work: np.ndarray,
    work_bits: np.ndarray,
) -> float:
    """h (k, rows) becomes weights times q, log_z[i] = log Z_i; returns Σ_i weights_i Σ_c q_ic h_ic.

    Rows are gone through in runs of as many as ``work`` has columns, so that what is worked with stays in the cache.
    """
    k, rows, run = h.shape[0], h.shape[1], work.shape[1]
    top, total, mean, room = (
        np.empty(run, h.dtype),
        np.empty(run, h.dtype),
        np.empty(run, h.dtype),
        np.empty(run, h.dtype),
    )
    cost, least, used = 0.0, numbers[0], np.empty(k, np.bool_)
    for start in range(0, rows, run):
        stop = min(start + run, rows)
        x, share, target = room[: stop - start], weights[start:stop], log_z[start:stop]
        for r in range(x.size):
            top[r], total[r], mean[r] = h[0, start + r], 0, 0
        for c in range(1, k):
            row = h[c, start:stop]
            for r in range(x.size):
                top[r] = min(top[r], row[r])
        for c in range(k):
            row, near = h[c, start:stop], 0
            for r in range(x.size):
                x[r] = beta * (top[r] - row[r])
                near |= x[r] > least
            used[c] = near > 0
            if not near:
                row[:] = 0
                continue
            exponentials(x, numbers, work, work_bits)
            for r in range(x.size):
                total[r] += x[r]
                mean[r] += x[r] * (row[r] - top[r]) if x[r] > 0 else x.dtype.type(0)
                row[r] = x[r]
        for r in range(x.size):
            target[r] = np.log(total[r]) - beta * top[r]
            cost += share[r] * (top[r] + mean[r] / total[r])
            total[r] = share[r] / total[r]
        for c in range(k):
            row = h[c, start:stop]
            for r in range(x.size if used[c] else 0):
                row[r] *= total[r]
    return cost


def gibbs(h: np.ndarray, beta: float, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """(weights q, log Z, expected cost) for distances h (rows, k), which are overwritten.

    A row too far from everything for its distances to be numbers belongs to all alike, and has density 0.
    """
    turned = np.ascontiguousarray(h.T)
    if h.size <= FEW:
        with np.errstate(over="ignore", invalid="ignore"):
            q, log_z, expected = few_marginals(turned, beta, weights)
        cost = float(expected)
    else:
        numbers, integer = constants(h.dtype)
        log_z, work = np.empty(len(h)), np.empty((4, RUN), h.dtype)
        cost = float(soften(turned, h.dtype.type(beta), weights, log_z, numbers, work, work.view(integer)))
        q = turned
    if not np.isfinite(cost):
        lost = ~np.isfinite(log_z)
        q[:, lost] = weights[lost] / len(q)
        log_z[lost], cost = -np.inf, np.inf
    return q.T, log_z, cost


def few_marginals(h: np.ndarray, beta: float, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights times q (..., k, rows), log Z (..., rows) and expected costs (...) of distances h (..., k, rows)."""
    add = np.add.reduce  # calls are what few numbers cost, and a method's is the dearer one
    top = np.minimum.reduce(h, axis=-2, keepdims=True)
    away = h - top
    exponent = -beta * away
    faint, q = exponent <= LEAST, np.exp(exponent)
    for array in (q, away):
        np.copyto(array, 0, where=faint)
    total = add(q, axis=-2, keepdims=True)
    log_z = np.log(total) - beta * top
    away *= q
    cost = (top + add(away, axis=-2, keepdims=True) / total) @ weights
    q *= weights.astype(h.dtype, copy=False) / total  # of two precisions NumPy would go through buffers
    return q, log_z[..., 0, :].astype(np.float64, copy=False), cost[..., 0]
