"""Tables of many makes on which no threshold of the verdict was chosen: 20 kinds with clusters, 20 without.

The numbers of rows, columns and clusters are drawn anew for every table. Gaps between clusters are in standard
deviations along the line that joins their centres.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.model_order.shapes import (
    ball,
    box,
    clusters,
    directions,
    laplace,
    lognormal,
    long_shapes,
    rotation,
    round_shapes,
    size,
    student,
    unequal_shares,
)

Rng = np.random.Generator
Case = tuple[str, np.ndarray, int]
FEW, LOW, ALL = (2, 2, 3), (2, 3, 5), (2, 2, 3, 5, 10)


def clear(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, ALL)
    return clusters(rng, n, d, k, (6, 9)), k


def touching(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, LOW, rows=(150, 300, 600, 1500))
    return clusters(rng, n, d, k, (3.4, 5)), k


def unequal_spreads(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, ALL)
    return clusters(rng, n, d, k, (5, 7), shapes=round_shapes(rng, d, k)), k


def unequal_sizes(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, ALL, rows=(300, 600, 1200, 2000))
    return clusters(rng, n, d, k, (5, 7), shares=unequal_shares(rng, k)), k


def long_each_its_way(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, ALL, rows=(300, 600, 1200))
    return clusters(rng, n, d, k, (5, 8), shapes=long_shapes(rng, d, k)), k


def long_one_way(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, LOW)
    return clusters(rng, n, d, k, (5, 7), shapes=long_shapes(rng, d, 1) * k), k


def boxes(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, FEW)
    return clusters(rng, n, d, k, (4, 6), draw=box), k


def balls(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, FEW)
    return clusters(rng, n, d, k, (4.5, 6), draw=ball), k


def heavy_tailed(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, LOW)
    return clusters(rng, n, d, k, (7, 10), draw=student), k


def laplacian(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, ALL)
    return clusters(rng, n, d, k, (6, 9), draw=laplace), k


def skewed(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, LOW)
    return clusters(rng, n, d, k, (6, 9), draw=lognormal), k


def on_background(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, LOW, most=7)
    X = clusters(rng, n, d, k, (6, 9))
    return np.concatenate([X, rng.uniform(X.min(axis=0), X.max(axis=0), (len(X) // 20, d))]), k


def among_noise_columns(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, (2, 3), most=6)
    X = clusters(rng, n, d, k, (6, 9))
    return np.hstack([X, rng.standard_normal((len(X), int(rng.choice([5, 10, 20, 40]))))]), k


def rounded(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, ALL)
    return np.round(clusters(rng, n, d, k, (6, 8))), k


def nested(rng: Rng) -> tuple[np.ndarray, int]:
    """Two or three groups far apart, of two or three clusters each."""
    d = int(rng.choice(LOW))
    parts = rng.integers(2, 4, int(rng.integers(2, 4)))
    groups = [clusters(rng, 120 * k, d, int(k), (6, 8)) for k in parts]
    return np.concatenate([X + 60 * i * np.eye(d)[0] for i, X in enumerate(groups)]), int(parts.sum())


def few_rows(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, (1, 2, 3, 5), rows=(40, 60), most=4)
    return clusters(rng, n, d, k, (5, 8)), k


def many_columns(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, (20, 50), rows=(200, 500), most=6)
    return clusters(rng, n, d, k, (5, 9)), k


def more_columns_than_rows(rng: Rng) -> tuple[np.ndarray, int]:
    n, d, k = size(rng, (50, 100), rows=(60, 80), most=4)
    return clusters(rng, n, d, k, (6, 9)), k


def flat_bars(rng: Rng) -> tuple[np.ndarray, int]:
    n, k = int(rng.choice([200, 600, 1500])), int(rng.integers(2, 4))
    X = rng.uniform(size=(n, 2)) * [rng.uniform(5, 20), 1]
    X[:, 1] += rng.uniform(2, 3.5) * (np.arange(n) % k)
    return X @ rotation(rng, 2), k


def digits(rng: Rng) -> tuple[np.ndarray, int]:
    """Two to six of the ten digits of scikit-learn, columns of unit spread."""
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    k = int(rng.integers(2, 7))
    X = X[np.isin(y, rng.choice(10, k, replace=False))]
    X = X[:, X.std(axis=0) > 0]
    return (X - X.mean(axis=0)) / X.std(axis=0), k


WITH_CLUSTERS: tuple[Callable[[Rng], tuple[np.ndarray, int]], ...] = (
    clear, touching, unequal_spreads, unequal_sizes, long_each_its_way, long_one_way, boxes, balls, heavy_tailed,
    laplacian, skewed, on_background, among_noise_columns, rounded, nested, few_rows, many_columns,
    more_columns_than_rows, flat_bars, digits,
)  # fmt: skip


def one_factor(rng: Rng, n: int, d: int, correlation: float) -> np.ndarray:
    return np.sqrt(correlation) * rng.standard_normal((n, 1)) + np.sqrt(1 - correlation) * rng.standard_normal((n, d))


def arc(rng: Rng, n: int) -> np.ndarray:
    angle = rng.uniform(0, 2, n)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1) + 0.1 * rng.standard_normal((n, 2))


def banana(rng: Rng, n: int) -> np.ndarray:
    x = rng.standard_normal(n)
    return np.stack([x, 0.5 * x**2 + 0.4 * rng.standard_normal(n)], axis=1)


WITHOUT: dict[str, Callable[[Rng, int, int], np.ndarray]] = {
    "Gaussian": lambda rng, n, d: rng.standard_normal((n, d)),
    "Gaussian, mixed scales": lambda rng, n, d: rng.standard_normal((n, d)) * np.exp(rng.uniform(-3, 3, d)),
    "Gaussian, correlation 0.9": lambda rng, n, d: one_factor(rng, n, d, 0.9),
    "Gaussian, correlation 0.99": lambda rng, n, d: one_factor(rng, n, d, 0.99),
    "Gaussian plane in noise": lambda rng, n, d: (
        rng.standard_normal((n, 2)) @ rng.standard_normal((2, d)) + 0.3 * rng.standard_normal((n, d))
    ),
    "cube": lambda rng, n, d: rng.random((n, d)),
    "skewed box": lambda rng, n, d: rng.random((n, d)) @ rng.standard_normal((d, d)),
    "ball": lambda rng, n, d: ball(rng, n, d),
    "simplex": lambda rng, n, d: rng.dirichlet(np.ones(d + 1), n)[:, :d],
    "sphere, three dimensions or more": lambda rng, n, d: directions(rng, n, max(d, 3)),
    "Student t, 3": lambda rng, n, d: student(rng, n, d, 3),
    "Student t, 2": lambda rng, n, d: student(rng, n, d, 2),
    "Student t, 2, each column": lambda rng, n, d: rng.standard_t(2, (n, d)),
    "Laplace": lambda rng, n, d: rng.laplace(size=(n, d)),
    "lognormal": lambda rng, n, d: np.exp(rng.standard_normal((n, d))),
    "gamma(0.5)": lambda rng, n, d: rng.gamma(0.5, size=(n, d)),
    "beta(2, 5)": lambda rng, n, d: rng.beta(2, 5, (n, d)),
    "Poisson(3)": lambda rng, n, d: rng.poisson(3.0, (n, d)).astype(float),
    "banana": lambda rng, n, d: banana(rng, n),
    "arc": lambda rng, n, d: arc(rng, n),
}


def fresh(repeats: int) -> Iterator[Case]:
    for i, make in enumerate(WITH_CLUSTERS):
        for seed in range(repeats):
            X, k = make(np.random.default_rng([7, i, seed]))
            yield f"fresh: {make.__name__.replace('_', ' ')}", X, k


def fresh_null(repeats: int) -> Iterator[Case]:
    for i, (name, draw) in enumerate(WITHOUT.items()):
        for seed in range(repeats):
            rng = np.random.default_rng([8, i, seed])
            n, d = int(rng.choice([40, 60, 100, 200, 500, 1000])), int(rng.choice([1, 2, 3, 5, 10, 20, 50]))
            yield f"fresh null: {name}", draw(rng, n, d), 1
