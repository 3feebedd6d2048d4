"""Clusters of many makes: where they lie, how they are shaped, and what law of unit spread their rows follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.model_order.tables import scattered

Rng = np.random.Generator
Draw = Callable[[Rng, int, int], np.ndarray]
FEWEST_ROWS = 12


def size(
    rng: Rng, columns: Sequence[int], rows: Sequence[int] = (100, 200, 400, 1000, 2000), most: int = 9
) -> tuple[int, int, int]:
    """Rows, columns and clusters."""
    d, n, k = int(rng.choice(columns)), int(rng.choice(rows)), int(rng.integers(2, most + 1))
    return max(n, 12 * k), d, k


def gaussian(rng: Rng, n: int, d: int) -> np.ndarray:
    return rng.standard_normal((n, d))


def clusters(
    rng: Rng,
    n: int,
    d: int,
    k: int,
    gap: tuple[float, float],
    draw: Draw = gaussian,
    shapes: list[np.ndarray] | None = None,
    shares: np.ndarray | None = None,
) -> np.ndarray:
    shapes = [np.eye(d)] * k if shapes is None else shapes
    shares = np.full(k, 1 / k) if shares is None else shares
    centers = scattered(rng, shapes, d, rng.uniform(*gap))
    counts = np.maximum(np.round(n * shares).astype(int), FEWEST_ROWS)
    rows = [draw(rng, m, d) @ shape.T + center for m, shape, center in zip(counts, shapes, centers)]
    return np.concatenate(rows)


def unequal_shares(rng: Rng, k: int) -> np.ndarray:
    """The largest up to ten times the smallest."""
    shares = np.exp(rng.uniform(0, np.log(10), k))
    return shares / shares.sum()


def round_shapes(rng: Rng, d: int, k: int) -> list[np.ndarray]:
    return [np.exp(rng.uniform(-0.8, 0.8)) * np.eye(d) for _ in range(k)]


def long_shapes(rng: Rng, d: int, k: int) -> list[np.ndarray]:
    return [rotation(rng, d) * np.exp(rng.uniform(-1, 1, d)) for _ in range(k)]


def rotation(rng: Rng, d: int) -> np.ndarray:
    return np.linalg.qr(rng.standard_normal((d, d)))[0]


def box(rng: Rng, n: int, d: int) -> np.ndarray:
    return rng.uniform(-np.sqrt(3), np.sqrt(3), (n, d))


def ball(rng: Rng, n: int, d: int) -> np.ndarray:
    return np.sqrt(d + 2) * rng.random((n, 1)) ** (1 / d) * directions(rng, n, d)


def directions(rng: Rng, n: int, d: int) -> np.ndarray:
    line = rng.standard_normal((n, d))
    return line / np.linalg.norm(line, axis=1, keepdims=True)


def student(rng: Rng, n: int, d: int, degrees: float = 3.0) -> np.ndarray:
    """Of unit scale, not of unit spread, which two degrees do not have."""
    return rng.standard_normal((n, d)) / np.sqrt(rng.chisquare(degrees, (n, 1)) / degrees)


def laplace(rng: Rng, n: int, d: int) -> np.ndarray:
    return rng.laplace(size=(n, d)) / np.sqrt(2)


def lognormal(rng: Rng, n: int, d: int) -> np.ndarray:
    rows = np.exp(0.5 * rng.standard_normal((n, d)))
    return (rows - np.exp(0.125)) / np.sqrt(np.exp(0.5) - np.exp(0.25))
