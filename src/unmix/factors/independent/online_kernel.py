"""The compiled inner loop of the online rules: rows one by one, units kept orthonormal batch by batch."""

import math

import numpy as np
from numba import njit

LOG_2 = math.log(2.0)
LOGCOSH, EXP, CUBE = 0, 1, 2
KURTOSIS, NEGENTROPY, SCALED = 0, 1, 2  # a row pulls by sgn(γ) g, γ g, or sgn(curvature) (g - linear part)


@njit(cache=True, nogil=True, error_model="numpy")
def learn_rows(
    rows: np.ndarray,
    weights: np.ndarray,
    units: np.ndarray,
    running: np.ndarray,
    contrast: int,
    a: float,
    gaussian: float,
    linear: float,
    pull: int,
    least: float,
    rates: np.ndarray,
    memories: np.ndarray,
    size: int,
) -> None:
    """Show whitened rows in order, ``size`` a batch with one of ``rates`` each; changes ``units`` and ``running``.

    ``running`` (2, k) holds γ and the curvature E[g(y) y - g'(y)] of every unit, ``memories`` the shares of the rows in
    them; ``gaussian`` and ``linear`` are E[G(ν)] and E[g'(ν)] of a Gaussian, ``least`` is the smallest curvature to
    divide by.
    """
    n, k = rows.shape
    step, room, products = np.empty((k, k)), np.empty((k, k)), np.empty((k, k))
    for batch in range(len(rates)):
        first, last = batch * size, min((batch + 1) * size, n)
        step[:] = 0.0
        mass = 0.0
        for r in range(first, last):
            mass += weights[r]
            show(rows[r], weights[r], units, running, contrast, a, gaussian, linear, pull, memories[r], step)
        add_step(units, step, rates[batch] / mass, running[1], least if pull == SCALED else -1.0, room, products)
        for _ in range(2):  # (B Bᵀ)^(-1/2) B by Newton's iteration, from nearby
            orthonormal(units, room, products)


@njit(cache=True, nogil=True, error_model="numpy")
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


@njit(cache=True, nogil=True, error_model="numpy")
def show(
    u: np.ndarray,
    weight: float,
    units: np.ndarray,
    running: np.ndarray,
    contrast: int,
    a: float,
    gaussian: float,
    linear: float,
    pull: int,
    memory: float,
    step: np.ndarray,
) -> None:
    """Add one row's part to the step of every unit, and let it change the running estimates."""
    k = u.size
    for i in range(k):
        y = 0.0
        for j in range(k):
            y += units[i, j] * u[j]
        value, g, slope = respond(y, contrast, a)
        running[0, i] += memory * (value - gaussian - running[0, i])
        running[1, i] += memory * (g * y - slope - running[1, i])
        force = running[0, i]
        if pull == KURTOSIS:
            force = 1.0 if running[0, i] > 0 else -1.0
        if pull == SCALED:
            force = 1.0 if running[1, i] > 0 else -1.0
            g -= linear * y
        for j in range(k):
            step[i, j] += weight * force * g * u[j]


@njit(cache=True, nogil=True)
def add_step(
    units: np.ndarray,
    step: np.ndarray,
    rate: float,
    curvatures: np.ndarray,
    least: float,
    room: np.ndarray,
    turn: np.ndarray,
) -> None:
    """B + rate skew(S Bᵀ) B: only the part that turns the units counts, and no step turns them by much.

    With ``least`` from 0 up, each angle is divided by the curvatures of its two units.
    """
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
            if least >= 0:
                value *= 2.0 / max(abs(curvatures[i]) + abs(curvatures[j]), least)
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
