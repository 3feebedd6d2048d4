"""The compiled inner loop of the online rules: rows one by one, units kept orthonormal batch by batch."""

import math

import numpy as np
from numba import njit

KURTOSIS, NEGENTROPY = 0, 1
LOG_COSH_OF_GAUSSIAN = 0.37456720749143807  # E[log cosh ν]


@njit(cache=True, nogil=True, error_model="numpy")
def learn_rows(
    rows: np.ndarray,
    weights: np.ndarray,
    units: np.ndarray,
    running: np.ndarray,
    rule: int,
    rates: np.ndarray,
    memories: np.ndarray,
    size: int,
) -> None:
    """Show whitened rows in order, ``size`` a batch with one of ``rates`` each; changes ``units`` and ``running``.

    ``memories`` are the shares of the rows in the running estimates.
    """
    n, k = rows.shape
    step, room, products = np.empty((k, k)), np.empty((k, k)), np.empty((k, k))
    for batch in range((n + size - 1) // size):
        first, last = batch * size, min((batch + 1) * size, n)
        for i in range(k):
            for j in range(k):
                step[i, j] = 0.0
        for r in range(first, last):
            show(rows[r], weights[r] / size, units, running, rule, memories[r], step)
        add_step(units, step, rates[batch], room, products)
        for _ in range(2):  # (B Bᵀ)^(-1/2) B by Newton's iteration, from nearby
            orthonormal(units, room, products)


@njit(cache=True, nogil=True, error_model="numpy")
def show(
    u: np.ndarray, share: float, units: np.ndarray, running: np.ndarray, rule: int, memory: float, step: np.ndarray
) -> None:
    """Add one row's part to the step of every unit, and let it change the running estimates."""
    k = u.size
    for i in range(k):
        y = 0.0
        for j in range(k):
            y += units[i, j] * u[j]
        if rule == KURTOSIS:
            running[i] += memory * (y * y * y * y - 3.0 - running[i])
            pull = y * y * y * (1.0 if running[i] > 0 else -1.0)
        else:
            size = abs(y)
            log_cosh = size + math.log1p(math.exp(-2.0 * size)) - math.log(2.0)
            running[i] += memory * (log_cosh - LOG_COSH_OF_GAUSSIAN - running[i])
            pull = math.tanh(y) * running[i]
        for j in range(k):
            step[i, j] += share * pull * u[j]


@njit(cache=True, nogil=True)
def add_step(units: np.ndarray, step: np.ndarray, rate: float, room: np.ndarray, turn: np.ndarray) -> None:
    """B + rate skew(S Bᵀ) B: only the part that turns the units counts, and no step turns them by much."""
    k = len(units)
    largest = 0.0
    for i in range(k):
        for j in range(k):
            room[i, j], turn[i, j] = units[i, j], 0.0
            for m in range(k):
                turn[i, j] += step[i, m] * units[j, m]
    for i in range(k):
        for j in range(i):
            value = 0.5 * rate * (turn[i, j] - turn[j, i])
            turn[i, j], turn[j, i] = value, -value
            largest = max(largest, abs(value))
        turn[i, i] = 0.0
    limit = 0.2 / largest if largest > 0.2 else 1.0
    for i in range(k):
        for j in range(k):
            for m in range(k):
                units[i, m] += limit * turn[i, j] * room[j, m]


@njit(cache=True, nogil=True)
def orthonormal(units: np.ndarray, room: np.ndarray, products: np.ndarray) -> None:
    """B ← (3 B - B Bᵀ B) / 2."""
    k = len(units)
    for i in range(k):
        for j in range(k):
            products[i, j] = 0.0
            for m in range(k):
                products[i, j] += units[i, m] * units[j, m]
    for i in range(k):
        for m in range(k):
            total = 0.0
            for j in range(k):
                total += products[i, j] * units[j, m]
            room[i, m] = 1.5 * units[i, m] - 0.5 * total
    for i in range(k):
        for m in range(k):
            units[i, m] = room[i, m]
