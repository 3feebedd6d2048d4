"""The five simulated models of Tibshirani, Walther and Hastie (2001), on which the gap statistic was introduced.

1  200 rows uniform on the unit cube in 10 dimensions                                                      K = 1
2  3 clusters in 2 dimensions: 25, 25, 50 rows at (0, 0), (0, 5), (5, -3)                                  K = 3
3  4 clusters in 3 dimensions, centres N(0, 5 I), 25 or 50 rows each, no two rows of different clusters
   nearer than 1                                                                                           K = 4
4  the same in 10 dimensions with centres N(0, 1.9 I)                                                      K = 4
5  two clusters of 100 rows stretched along the diagonal of 3 dimensions, 10 apart in every coordinate     K = 2
"""

from __future__ import annotations

import numpy as np


def tibshirani(model: int, *, random_state: int | np.random.Generator | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Draw a table of model 1 to 5; the largest label plus one is the true number of clusters.

    >>> X, y = tibshirani(2, random_state=0)
    >>> X.shape, np.bincount(y).tolist()
    ((100, 2), [25, 25, 50])
    """
    rng = np.random.default_rng(random_state)
    if model == 1:
        return rng.uniform(size=(200, 10)), np.zeros(200, dtype=int)
    if model == 2:
        y = np.repeat([0, 1, 2], [25, 25, 50])
        return np.array([[0.0, 0.0], [0.0, 5.0], [5.0, -3.0]])[y] + rng.standard_normal((100, 2)), y
    if model in {3, 4}:
        return _four_random(3, 5.0, rng) if model == 3 else _four_random(10, 1.9, rng)
    if model == 5:
        y = np.repeat([0, 1], 100)
        along = np.tile(np.linspace(-0.5, 0.5, 100), 2)[:, None]
        return along + 10.0 * y[:, None] + rng.normal(0, 0.1, (200, 3)), y
    raise ValueError(f"model={model!r} is not one of the five; give 1, 2, 3, 4 or 5")


def _four_random(d: int, variance: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    while True:
        y = np.repeat(np.arange(4), rng.choice([25, 50], size=4))
        X = rng.normal(0, np.sqrt(variance), (4, d))[y] + rng.standard_normal((len(y), d))
        distance = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
        if distance[y[:, None] != y].min() >= 1.0:
            return X, y
