"""Clouds that are curved and hang together: criteria along straight lines find valleys in them."""

from collections.abc import Callable

import numpy as np

Cloud = Callable[[np.random.Generator, int], np.ndarray]


def noisy(X: np.ndarray, rng: np.random.Generator, size: float = 0.1) -> np.ndarray:
    return X + size * rng.normal(size=X.shape)


def ring(rng: np.random.Generator, n: int) -> np.ndarray:
    angle = rng.uniform(0, 2 * np.pi, n)
    return noisy(np.c_[np.cos(angle), np.sin(angle)], rng)


def arc(rng: np.random.Generator, n: int) -> np.ndarray:
    angle = rng.uniform(0, 1.4 * np.pi, n)
    return noisy(np.c_[np.cos(angle), np.sin(angle)], rng)


def powers(rng: np.random.Generator, n: int) -> np.ndarray:
    x = rng.uniform(-1, 1, n)
    return noisy(np.c_[x, x**2, x**3], rng)


def spiral(rng: np.random.Generator, n: int) -> np.ndarray:
    angle = 3 * np.pi * np.sqrt(rng.uniform(0.05, 1, n))
    return noisy(np.c_[angle * np.cos(angle), angle * np.sin(angle)], rng, 0.25)


def helix(rng: np.random.Generator, n: int) -> np.ndarray:
    angle = rng.uniform(0, 4 * np.pi, n)
    return noisy(np.c_[np.cos(angle), np.sin(angle), angle / 4], rng)


def sphere(rng: np.random.Generator, n: int) -> np.ndarray:
    X = rng.normal(size=(n, 3))
    return noisy(X / np.linalg.norm(X, axis=1, keepdims=True), rng)


def rolled_sheet(rng: np.random.Generator, n: int) -> np.ndarray:
    angle = 1.5 * np.pi * (1 + 2 * rng.random(n))
    return noisy(np.c_[angle * np.cos(angle), 21 * rng.random(n), angle * np.sin(angle)], rng, 0.3)


def gradient(rng: np.random.Generator, n: int) -> np.ndarray:
    """Eight species, each at home at a height of its own."""
    height = rng.uniform(-1, 1, n)
    return noisy(np.exp(-(((height[:, None] - np.linspace(-1.2, 1.2, 8)) / 0.5) ** 2)), rng, 0.12)


CURVED: dict[str, Cloud] = {
    "ring": ring, "arc": arc, "powers": powers, "spiral": spiral, "helix": helix, "sphere": sphere,
    "rolled sheet": rolled_sheet, "gradient of eight": gradient,
}  # fmt: skip
