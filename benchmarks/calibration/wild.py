"""Kinds of tables on which nothing was fitted or chosen: what people have, with groups and without, of many sizes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.model_order.shapes import clusters, rotation, student
from benchmarks.model_order.tables import scattered
from benchmarks.nulls.tables import Columns, autoregressive, columns, with_gaps

Rng = np.random.Generator
Made = tuple[Columns, int]  # a table and how many groups it holds
LETTERS = np.array(list("abcdefgh"))


def rows(rng: Rng) -> int:
    return int(np.exp(rng.uniform(np.log(80), np.log(1000))))


def covariance(rng: Rng, d: int) -> np.ndarray:
    """Of d + 2 degrees of freedom, of unit variances."""
    A = rng.standard_normal((d + 2, d))
    S = A.T @ A
    scale = np.sqrt(np.diag(S))
    return S / np.outer(scale, scale)


def cloud(rng: Rng, d: int | None = None, n: int | None = None) -> np.ndarray:
    d = int(rng.integers(3, 9)) if d is None else d
    return rng.multivariate_normal(np.zeros(d), covariance(rng, d), size=rows(rng) if n is None else n)


def _factors(rng: Rng, n: int, d: int, m: int) -> np.ndarray:
    X = rng.standard_normal((n, m)) @ rng.standard_normal((m, d)) + 0.8 * rng.standard_normal((n, d))
    return X / X.std(axis=0)


def skewed_margins(rng: Rng) -> np.ndarray:
    """Each column of the cloud bent by a curve of its own: exponential, cubic, or none."""
    X = cloud(rng)
    bend = rng.integers(3, size=X.shape[1])
    return np.where(bend == 0, X, np.where(bend == 1, np.exp(X), X + 0.3 * X**3))


def items(rng: Rng) -> np.ndarray:
    """Questionnaires of seven levels and two factors, some answers missing."""
    X = np.clip(np.rint(4 + 1.4 * _factors(rng, rows(rng), int(rng.integers(5, 13)), 2)), 1, 7)
    return with_gaps(X, rng, 0.03)


def dispersed_counts(rng: Rng) -> np.ndarray:
    mean = np.exp(0.6 * _factors(rng, rows(rng), int(rng.integers(3, 7)), 1) + 1)
    return rng.poisson(mean * rng.gamma(2.0, 0.5, mean.shape)).astype(float)


def money(rng: Rng) -> np.ndarray:
    X = np.exp(1.2 * cloud(rng, int(rng.integers(2, 6)))) * 300
    return with_gaps(np.round(X, -1), rng, 0.05)


def saturating(rng: Rng) -> np.ndarray:
    x = rng.standard_normal((rows(rng), 1))
    X = np.hstack([x, np.tanh(1.5 * x), np.exp(0.7 * x)])
    return X + 0.3 * rng.standard_normal(X.shape)


def outliers(rng: Rng) -> np.ndarray:
    X = cloud(rng)
    far = rng.random(len(X)) < 0.02
    return X + far[:, None] * 5 * rng.standard_cauchy(X.shape)


def triangle(rng: Rng) -> np.ndarray:
    X = np.sort(rng.random((rows(rng), 2)), axis=1) * [1, rng.uniform(0.5, 3)]
    return X @ rotation(rng, 2)


def mixed_factor(rng: Rng) -> Columns:
    """Numbers and categories that follow one factor, without groups."""
    n = rows(rng)
    f = rng.standard_normal(n)
    numbers = 0.8 * f[:, None] + 0.6 * rng.standard_normal((n, 3))
    cut = [np.digitize(f + rng.standard_normal(n), np.sort(rng.standard_normal(2))) for _ in range(3)]
    return columns(numbers) | {f"q{j}": LETTERS[level] for j, level in enumerate(cut)}


def dated_walk(rng: Rng) -> Columns:
    n = int(rng.integers(120, 700))
    X = autoregressive(rng, n, int(rng.integers(2, 6)), 1.0)
    days = np.datetime64("2015-01-01") + np.arange(n).astype("timedelta64[D]")
    return columns(X) | {"day": days.astype(str)}


def trend(rng: Rng) -> Columns:
    n, d = int(rng.integers(120, 500)), int(rng.integers(2, 6))
    return columns(autoregressive(rng, n, d, 0.8) + np.linspace(0, 3, n)[:, None] * rng.standard_normal(d))


def units(rng: Rng) -> Columns:
    """Units measured again and again around a level of their own."""
    n, times, d = int(rng.integers(15, 60)), int(rng.integers(5, 20)), int(rng.integers(2, 5))
    level = rng.standard_normal((n, d)) @ rotation(rng, d)
    X = np.repeat(level, times, axis=0) + rng.uniform(0.1, 0.4) * rng.standard_normal((n * times, d))
    return columns(X) | {"unit": np.repeat([f"u{i}" for i in range(n)], times)}


def field(rng: Rng) -> Columns:
    """Places at random, and two quantities that change slowly from place to place."""
    n = rows(rng)
    place = rng.uniform(0, 10, (n, 2))
    waves = place @ (0.4 * rng.standard_normal((2, 4))) + rng.uniform(0, 6, 4)
    values = np.cos(waves) @ rng.standard_normal((4, 2)) + 0.3 * rng.standard_normal((n, 2))
    return {"lat": 40 + place[:, 0], "lon": place[:, 1]} | columns(values)


def groups(rng: Rng, gap: tuple[float, float], most: int = 5, d: int | None = None, **more) -> tuple[np.ndarray, int]:
    k, d = int(rng.integers(2, most + 1)), int(rng.integers(2, 9)) if d is None else d
    X = clusters(rng, max(rows(rng), 30 * k), d, k, gap, **more)
    return rng.permutation(X), k


def ellipsoids(rng: Rng) -> Made:
    k, d = int(rng.integers(2, 5)), int(rng.integers(2, 7))
    shapes = [np.linalg.cholesky(covariance(rng, d)) for _ in range(k)]
    return columns(rng.permutation(clusters(rng, max(rows(rng), 60 * k), d, k, (5, 8), shapes=shapes))), k


def shared_factor(rng: Rng) -> Made:
    """Groups apart across the direction along which all rows spread."""
    k, d = int(rng.integers(2, 4)), int(rng.integers(3, 7))
    shape = rotation(rng, d) * np.r_[3.0, np.ones(d - 1)]
    return columns(rng.permutation(clusters(rng, max(rows(rng), 80 * k), d, k, (5, 8), shapes=[shape] * k))), k


def unequal(rng: Rng) -> Made:
    k = int(rng.integers(2, 5))
    shares = np.maximum(rng.dirichlet(np.ones(k)), 0.05)
    shares /= shares.sum()
    n, d = max(rows(rng), 200), int(rng.integers(2, 6))
    return columns(rng.permutation(clusters(rng, n, d, k, (5, 8), shares=shares))), k


def among_noise(rng: Rng) -> Made:
    X, k = groups(rng, (6, 9), 4, int(rng.integers(2, 5)))
    return columns(np.hstack([X, X.std() * rng.standard_normal((len(X), int(rng.integers(2, 20))))])), k


def hierarchy(rng: Rng) -> Made:
    d = int(rng.integers(2, 6))
    top, low = rng.standard_normal((2, d)), rng.standard_normal((2, 2, d))
    top *= 20 / np.linalg.norm(top[0] - top[1])
    low *= rng.uniform(6, 8) / np.linalg.norm(low[:, 0] - low[:, 1], axis=1)[:, None, None]
    n = max(rows(rng), 160)
    return columns((top[:, None] + low).reshape(4, d)[rng.integers(4, size=n)] + rng.standard_normal((n, d))), 4


def latent_classes(rng: Rng, levels: int, sure: float) -> Made:
    """Answers whose favourites differ from class to class."""
    k, n, d = int(rng.integers(2, 5)), max(rows(rng), 150), int(rng.integers(5, 11))
    favourite = np.stack([rng.permutation(np.arange(d) % levels) for _ in range(k)])
    label = rng.integers(k, size=n)
    level = np.where(rng.random((n, d)) < sure, favourite[label], rng.integers(levels, size=(n, d)))
    return {f"q{j}": LETTERS[level[:, j]] for j in range(d)}, k


def ordered_items(rng: Rng) -> Made:
    k, n, d = int(rng.integers(2, 4)), max(rows(rng), 150), int(rng.integers(5, 11))
    means = rng.choice([1.5, 3.0, 4.5], size=(k, d))
    means[0], means[1] = rng.permutation(np.resize([1.5, 4.5], d)), rng.permutation(np.resize([4.5, 1.5, 3], d))
    X = means[rng.integers(k, size=n)] + 0.8 * rng.standard_normal((n, d))
    return columns(np.clip(np.rint(X), 1, 5)), k


def mixed_groups(rng: Rng) -> Made:
    k, n = int(rng.integers(2, 5)), max(rows(rng), 150)
    centers = np.array(scattered(rng, [np.eye(3)] * k, 3, rng.uniform(4, 6)))
    label = rng.integers(k, size=n)
    sure = rng.random((n, 3)) < 0.75
    level = np.where(sure, (label[:, None] + np.arange(3)) % 5, rng.integers(5, size=(n, 3)))
    numbers = centers[label] + rng.standard_normal((n, 3))
    return columns(numbers) | {f"q{j}": LETTERS[level[:, j]] for j in range(3)}, k


def moons(rng: Rng) -> Made:
    n = max(rows(rng), 150)
    angle, side = np.pi * rng.random(n), rng.random(n) < rng.uniform(0.3, 0.7)
    X = np.c_[np.cos(angle), np.sin(angle)] * np.where(side, -1, 1)[:, None]
    X += side[:, None] * [1.0, rng.uniform(0, 0.5)]
    return columns((X + rng.uniform(0.05, 0.1) * rng.standard_normal((n, 2))) * rng.uniform(0.5, 5, 2)), 2


def shells(rng: Rng) -> Made:
    n, d = max(rows(rng), 200), int(rng.integers(2, 4))
    line = rng.standard_normal((n, d))
    outside = rng.random(n) < rng.uniform(0.4, 0.7)
    radius = np.where(outside, 4.0 + 0.35 * rng.standard_normal(n), 1.0 * rng.random(n) ** (1 / d))
    return columns(line / np.linalg.norm(line, axis=1, keepdims=True) * radius[:, None]), 2


def strips(rng: Rng) -> Made:
    n, k = max(rows(rng), 200), int(rng.integers(2, 4))
    which = rng.integers(k, size=n)
    X = np.c_[rng.uniform(-5, 5, n), rng.uniform(3.5, 5) * 0.6 * which + 0.4 * rng.standard_normal(n)]
    return columns(X @ rotation(rng, 2)), k


def spreads(rng: Rng) -> Made:
    k, d = int(rng.integers(2, 4)), int(rng.integers(2, 5))
    shapes = [np.eye(d) * s for s in np.geomspace(1, rng.uniform(2, 5), k)]
    shares = np.geomspace(1, rng.uniform(1, 6), k)
    X = clusters(rng, max(rows(rng), 200), d, k, (5, 7), shapes=shapes, shares=rng.permutation(shares / shares.sum()))
    return columns(rng.permutation(X)), k


def positive_groups(rng: Rng) -> Made:
    X, k = groups(rng, (5, 8), 4)
    return columns(np.exp(X / X.std() * 1.2) * 100), k


def counted_groups(rng: Rng) -> Made:
    X, k = groups(rng, (5, 8), 4, int(rng.integers(3, 7)))
    return columns(rng.poisson(np.exp(0.5 * X / X.std() + 3)).astype(float)), k


def wide_groups(rng: Rng) -> Made:
    k, n, d = int(rng.integers(2, 5)), int(rng.integers(60, 160)), int(rng.integers(15, 41))
    return columns(rng.permutation(clusters(rng, n, d, k, (6, 10)))), k


def long_tailed_groups(rng: Rng) -> Made:
    X, k = groups(rng, (7, 11), 4, draw=lambda rng, n, d: student(rng, n, d, 4))
    return columns(X), k


def none(make: Callable[[Rng], np.ndarray]) -> Callable[[Rng], Made]:
    return lambda rng: (columns(make(rng)), 1)


def _plain(gap: tuple[float, float], most: int = 5, missing: float = 0.0) -> Callable[[Rng], Made]:
    def make(rng: Rng) -> Made:
        X, k = groups(rng, gap, most)
        return columns(with_gaps(X, rng, missing) if missing else X), k

    return make


NULLS: dict[str, Callable[[Rng], Made]] = {
    "null: correlated": none(cloud),
    "null: two factors, 12 columns": none(lambda rng: _factors(rng, rows(rng), 12, 2)),
    "null: skewed margins": none(skewed_margins),
    "null: Student, 3 degrees": none(
        lambda rng: student(rng, rows(rng), 5, 3) @ np.linalg.cholesky(covariance(rng, 5)).T
    ),
    "null: seven levels, gaps": none(items),
    "null: dispersed counts": none(dispersed_counts),
    "null: money, gaps": none(money),
    "null: halves": none(lambda rng: np.round(cloud(rng) * 2) / 2),
    "null: saturating curve": none(saturating),
    "null: outliers": none(outliers),
    "null: triangle": none(triangle),
    "null: shares": none(lambda rng: rng.dirichlet(rng.uniform(0.8, 4, 5), rows(rng))),
    "null: numbers and categories of a factor": lambda rng: (mixed_factor(rng), 1),
}
DEPENDENT: dict[str, Callable[[Rng], Made]] = {
    "dependent: walk with dates": lambda rng: (dated_walk(rng), 1),
    "dependent: walk": lambda rng: (columns(autoregressive(rng, int(rng.integers(100, 600)), 3, 1.0)), 1),
    "dependent: AR(0.8) on a trend": lambda rng: (trend(rng), 1),
    "dependent: units": lambda rng: (units(rng), 1),
    "dependent: field of places": lambda rng: (field(rng), 1),
}
GROUPS: dict[str, Callable[[Rng], Made]] = {
    "groups: apart": _plain((6, 9), 8),
    "groups: touching": _plain((3.2, 4.6), 4),
    "groups: 5 % missing": _plain((5, 8), 4, 0.05),
    "groups: ellipsoids": ellipsoids,
    "groups: across a factor": shared_factor,
    "groups: unequal sizes": unequal,
    "groups: among noise": among_noise,
    "groups: hierarchy": hierarchy,
    "groups: of categories": lambda rng: latent_classes(rng, 3, 0.7),
    "groups: ordered items": ordered_items,
    "groups: numbers and categories": mixed_groups,
    "groups: moons": moons,
    "groups: shells": shells,
    "groups: strips": strips,
    "groups: unequal spreads": spreads,
    "groups: positive": positive_groups,
    "groups: counts": counted_groups,
    "groups: few rows, many columns": wide_groups,
    "groups: long tails": long_tailed_groups,
}
WILD: dict[str, Callable[[Rng], Made]] = {**NULLS, **DEPENDENT, **GROUPS}
