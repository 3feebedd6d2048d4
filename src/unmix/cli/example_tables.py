"""Small tables with structure, of every kind that a method is for; the same each time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

SMALL, LARGE = 300, 6000  # rows; the large table is past what is solved without kernels


def groups(n: int) -> np.ndarray:
    """Three groups that are not round, in six columns."""
    rng = np.random.default_rng(0)
    return 4.0 * rng.normal(size=(3, 6))[np.arange(n) % 3] + rng.laplace(size=(n, 6))


def dissimilarities(n: int) -> np.ndarray:
    X = groups(n)
    return np.sum((X[:, None] - X) ** 2, axis=2)


def links(n: int) -> np.ndarray:
    same = np.equal.outer(np.arange(n) % 3, np.arange(n) % 3)
    upper = np.triu(np.random.default_rng(0).random((n, n)) < np.where(same, 0.7, 0.05), 1).astype(float)
    return upper + upper.T


def ratings(n: int) -> np.ndarray:
    X = groups(n)
    X[:, 1:][np.random.default_rng(1).random((n, 5)) < 0.25] = np.nan
    return X


def access(n: int) -> np.ndarray:
    """Users with one or two of three roles over nine permissions."""
    roles = np.kron(np.eye(3, dtype=int), np.ones(3, dtype=int))
    return np.maximum(roles[np.arange(n) % 3], roles[np.arange(n) // 4 % 3]).astype(float)


def noisy_access(n: int) -> np.ndarray:
    """Users with some of six roles over twenty permissions, and exceptions: no exact cover is seen at a glance."""
    rng = np.random.default_rng(0)
    held = (rng.random((n, 6)) < 0.35).astype(int) @ (rng.random((6, 20)) < 0.3) > 0
    return (held ^ (rng.random(held.shape) < 0.04)).astype(float)


def tangled_access() -> np.ndarray:
    """Of twenty roles that overlap, so that the rectangles of ones are too many to be listed."""
    rng = np.random.default_rng(0)
    return ((rng.random((60, 20)) < 0.3) @ (rng.random((20, 60)) < 0.2) > 0).astype(float)


TABLES: dict[str, Callable[[int], np.ndarray]] = {
    "groups": groups,
    "plane": lambda n: groups(n)[:, :2].copy(),
    "holed amounts": lambda n: np.abs(ratings(min(n, SMALL))) + 0.1,
    "few groups": lambda n: groups(min(n, SMALL)),
    "pixels": lambda n: groups(15 * 20),
    "amounts": lambda n: np.abs(groups(n)) + 0.1,
    "counts": lambda n: np.floor(3 * np.abs(groups(min(n, SMALL)))) + 1,
    "categories": lambda n: np.arange(3 * n).reshape(n, 3) % [3.0, 2.0, 4.0],
    "ratings": lambda n: ratings(min(n, SMALL)),
    "dissimilarities": lambda n: dissimilarities(100),
    "links": lambda n: links(100),
    "likes": lambda n: 2 * links(60) - 1 + np.eye(60),
    "access": lambda n: access(min(n, SMALL)),
}
