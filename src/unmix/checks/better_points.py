"""A search for allowed points that beat a proximal map, by moves that know nothing of the constraint.

    value(W) = t · Σ penalty(W) + ½ ‖W - V‖²

Candidates are other answers of the map, and small moves from the point itself: entries changed, exchanged, turned
against each other, vectors scaled. What counts as allowed is what `violation` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

ALLOWED = 1e-9  # violation of a point that counts as allowed, relative to its size
MOVES = 180
EVALUATIONS = 400  # of the minimisation from one start

Move = Callable[[np.ndarray, np.ndarray, float, np.random.Generator], None]


def value(constraint: Any, W: np.ndarray, V: np.ndarray, step: float) -> float:
    return float(step * np.sum(constraint.penalty(W)) + np.square(W - V).sum() / 2)


def allowed(constraint: Any, W: np.ndarray) -> bool:
    return bool(constraint.violation(W) <= ALLOWED * max(1.0, float(np.abs(W).max(initial=0.0))))


def candidates(constraint: Any, V: np.ndarray, step: float, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Allowed points from all over: of other steps and other matrices, and what is made of the answer itself."""
    W = constraint.prox(V, step)
    for other in (0.0, step / 2, step * 2):
        yield constraint.prox(V, other)
    for matrix in (-V, V / 2, 2 * V, np.abs(V), V[:, ::-1], *rng.normal(size=(20, *V.shape))):
        yield constraint.prox(np.ascontiguousarray(matrix), 0.0)
    for point in (V, W / 2, -W, np.abs(W), np.zeros_like(W), np.maximum(V, 0), (V + W) / 2, *returned(W, V)):
        if allowed(constraint, point):
            yield point


def returned(W: np.ndarray, V: np.ndarray) -> Iterator[np.ndarray]:
    """The answer with one vector, or one entry, as it was: these show the smallest errors of a map."""
    for place in (*np.ndindex(len(V)), *np.ndindex(V.shape)):
        point = W.copy()
        point[place] = V[place]
        yield point


def lowered(constraint: Any, V: np.ndarray, step: float, rng: np.random.Generator) -> np.ndarray:
    """The lowest point that a random descent from the answer of the map finds."""
    W = constraint.prox(V, step)
    least = value(constraint, W, V, step)
    for turn in range(MOVES):
        new = W.copy()
        MOVEMENTS[turn % len(MOVEMENTS)](new, V, 10 ** rng.uniform(-3.0, 0.5), rng)
        reached = value(constraint, new, V, step)
        if reached < least and allowed(constraint, new):
            W, least = new, reached
    return W


def minimised(constraint: Any, V: np.ndarray, step: float, rng: np.random.Generator) -> np.ndarray:
    """The lowest point that a minimisation over all matrices finds, each replaced by the allowed one nearest to it."""
    from scipy.optimize import minimize

    def cost(flat: np.ndarray) -> float:
        return value(constraint, constraint.prox(flat.reshape(V.shape), 0.0), V, step)

    start = constraint.prox(V, step) + 0.1 * rng.normal(size=V.shape)
    found = minimize(cost, start.ravel(), method="Powell", options={"maxfev": EVALUATIONS})
    return np.asarray(constraint.prox(found.x.reshape(V.shape), 0.0))


def _pick(size: int, rng: np.random.Generator) -> tuple[int, int]:
    """Two places, different where there are two."""
    first = int(rng.integers(size))
    return first, (first + 1 + int(rng.integers(max(size - 1, 1)))) % size


def _change(W: np.ndarray, V: np.ndarray, size: float, rng: np.random.Generator) -> None:
    W[rng.integers(len(W)), rng.integers(W.shape[1])] += size * rng.choice([-1, 1])


def _vanish(W: np.ndarray, V: np.ndarray, size: float, rng: np.random.Generator) -> None:
    W[rng.integers(len(W)), rng.integers(W.shape[1])] = 0.0


def _return(W: np.ndarray, V: np.ndarray, size: float, rng: np.random.Generator) -> None:
    i, j = rng.integers(len(W)), rng.integers(W.shape[1])
    W[i, j] += min(size, 1.0) * (V[i, j] - W[i, j])


def _approach(W: np.ndarray, V: np.ndarray, size: float, rng: np.random.Generator) -> None:
    i = rng.integers(len(W))
    W[i] += min(size, 1.0) * (V[i] - W[i])


def _shift(W: np.ndarray, V: np.ndarray, size: float, rng: np.random.Generator) -> None:
    W[rng.integers(len(W))] += size * rng.choice([-1, 1])


def _scale(W: np.ndarray, V: np.ndarray, size: float, rng: np.random.Generator) -> None:
    W[rng.integers(len(W))] *= np.exp(size * rng.choice([-1, 1]))


def _give(W: np.ndarray, V: np.ndarray, size: float, rng: np.random.Generator) -> None:
    i, (a, b) = rng.integers(len(W)), _pick(W.shape[1], rng)
    gift = min(size, abs(W[i, a]))
    W[i, a], W[i, b] = W[i, a] - gift, W[i, b] + gift


def _exchange(W: np.ndarray, V: np.ndarray, size: float, rng: np.random.Generator) -> None:
    i, (a, b) = rng.integers(len(W)), _pick(W.shape[1], rng)
    W[i, [a, b]] = W[i, [b, a]]


def _move_to(W: np.ndarray, V: np.ndarray, size: float, rng: np.random.Generator) -> None:
    """What one entry has is dropped, another gets what V has there."""
    i, (a, b) = rng.integers(len(W)), _pick(W.shape[1], rng)
    W[i, a], W[i, b] = 0.0, V[i, b]


def _turn(W: np.ndarray, V: np.ndarray, size: float, rng: np.random.Generator) -> None:
    i, (a, b) = rng.integers(len(W)), _pick(W.shape[1], rng)
    W[i, [a, b]] = _rotation(size, rng) @ W[i, [a, b]] if a != b else W[i, [a, b]]


def _turn_vectors(W: np.ndarray, V: np.ndarray, size: float, rng: np.random.Generator) -> None:
    a, b = _pick(len(W), rng)
    W[[a, b]] = _rotation(size, rng) @ W[[a, b]] if a != b else -W[[a, b]]


def _turn_columns(W: np.ndarray, V: np.ndarray, size: float, rng: np.random.Generator) -> None:
    a, b = _pick(W.shape[1], rng)
    W[:, [a, b]] = W[:, [a, b]] @ _rotation(size, rng) if a != b else -W[:, [a, b]]


def _rotation(size: float, rng: np.random.Generator) -> np.ndarray:
    angle = size * rng.choice([-1, 1])
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


MOVEMENTS: tuple[Move, ...] = (
    _change, _vanish, _return, _approach, _shift, _scale, _give, _exchange, _move_to, _turn, _turn_vectors,
    _turn_columns,
)  # fmt: skip
