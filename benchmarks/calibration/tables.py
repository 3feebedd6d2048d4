"""Tables whose number of groups is known: kinds the rule is fitted on, and other kinds it is checked on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.model_order.fresh import WITH_CLUSTERS, WITHOUT
from benchmarks.model_order.shapes import clusters, laplace, lognormal, long_shapes, rotation, round_shapes, student
from benchmarks.model_order.tables import random_mixture
from benchmarks.nulls.tables import KINDS, Columns, columns

Rng = np.random.Generator
Made = tuple[Columns, int]  # a table and how many groups it holds
Maker = Callable[[Rng], Made]


def _rows(rng: Rng) -> int:
    return int(rng.choice([80, 150, 300, 500]))


def _groups(rng: Rng, gap: tuple[float, float], most: int = 6, **more) -> Made:
    k, d = int(rng.integers(2, most + 1)), int(rng.choice([2, 3, 4, 6]))
    shapes = more.pop("shapes", None)
    X = clusters(rng, max(_rows(rng), 20 * k), d, k, gap, shapes=None if shapes is None else shapes(rng, d, k), **more)
    return columns(X[rng.permutation(len(X))]), k


def _few(rng: Rng) -> Made:
    k = int(rng.integers(2, 5))
    return columns(rng.permutation(clusters(rng, 15 * k, 3, k, (5, 8)))), k


def _unequal_sizes(rng: Rng) -> Made:
    k = int(rng.integers(2, 5))
    shares = np.array([0.8, 0.15, 0.05, 0.05])[:k]
    return columns(clusters(rng, 400, 3, k, (5, 8), shares=shares / shares.sum())), k


def _noise_columns(rng: Rng) -> Made:
    table, k = _groups(rng, (6, 9), 4)
    n = len(table["x0"])
    return table | {f"noise {j}": rng.standard_normal(n) for j in range(int(rng.choice([3, 6, 15])))}, k


def _nested(rng: Rng) -> Made:
    parts = rng.integers(1, 4, 2) + np.array([1, 0])
    X = np.concatenate([clusters(rng, 80 * k, 3, int(k), (6, 8)) + 40 * i for i, k in enumerate(parts)])
    return columns(X), int(parts.sum())


def _moons(rng: Rng) -> Made:
    angle = rng.uniform(0, np.pi, _rows(rng))
    half = np.arange(len(angle)) % 2
    X = np.stack([np.cos(angle), np.sin(angle)], axis=1) * np.where(half, -1, 1)[:, None] + half[:, None] * [1, 0.4]
    return columns(rng.permutation(X + rng.uniform(0.04, 0.12) * rng.standard_normal(X.shape))), 2


def _rings(rng: Rng, inner: float) -> Made:
    n = _rows(rng)
    angle, radius = rng.uniform(0, 2 * np.pi, n), np.where(np.arange(n) % 2, 1.0, inner)
    X = np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius[:, None]
    return columns(rng.permutation(X + rng.uniform(0.05, 0.12) * rng.standard_normal(X.shape))), 2


def _bars(rng: Rng) -> Made:
    n, k = _rows(rng), int(rng.integers(2, 4))
    X = rng.uniform(size=(n, 2)) * [rng.uniform(4, 12), 1]
    X[:, 1] += rng.uniform(2, 3) * (np.arange(n) % k)
    return columns(rng.permutation(X @ rotation(rng, 2))), k


def _rounded(rng: Rng) -> Made:
    table, k = _groups(rng, (6, 8), 4)
    return {name: np.rint(values) for name, values in table.items()}, k


def _categories(rng: Rng, k: int) -> Made:
    """Answers to six questions of three levels; in groups, each has its own favourite of most questions."""
    n, favourite = _rows(rng), rng.integers(3, size=(k, 6))
    label = rng.integers(k, size=n)
    keep = rng.random((n, 6)) < (0.75 if k > 1 else 0.0)
    level = np.where(keep, favourite[label], rng.choice(3, size=(n, 6), p=[0.5, 0.3, 0.2]))
    return {f"q{j}": np.array(["a", "b", "c"])[level[:, j]] for j in range(6)}, k


def _mixed(rng: Rng, k: int) -> Made:
    """Three categories of the same groups beside two numbers that follow them too."""
    label = rng.integers(k, size=_rows(rng))
    numbers = 4 * rng.standard_normal((k, 2))[label] * (k > 1) + rng.standard_normal((len(label), 2))
    level = np.where(rng.random((len(label), 3)) < 0.8 * (k > 1), (label[:, None] + np.arange(3)) % 4, rng.integers(4))
    level = np.where(rng.random(level.shape) < 0.2 + 0.8 * (k == 1), rng.integers(4, size=level.shape), level)
    return columns(numbers) | {f"q{j}": np.array(list("abcd"))[level[:, j]] for j in range(3)}, k


def _curve(rng: Rng) -> Made:
    x = rng.standard_normal(_rows(rng))
    return columns(np.stack([x, 0.3 * x**2 + 0.5 * rng.standard_normal(len(x))], axis=1)), 1


def _known(name: str) -> Maker:
    return lambda rng: (KINDS[name].make(rng), KINDS[name].groups)


NULLS = (
    "Gaussian, common factor", "heavy tails", "uniform", "Likert, 1 % missing", "tens, 3 % odd", "rounded lognormal",
    "counts, common factor", "12 columns, 10 % missing", "repeated rows", "random walks", "AR(1), 0.9", "seasonal",
    "country × year",
)  # fmt: skip
GROUPS: dict[str, Maker] = {
    "groups apart": lambda rng: _groups(rng, (6, 9)),
    "groups that touch": lambda rng: _groups(rng, (3.4, 5)),
    "many groups": lambda rng: _groups(rng, (4, 7), 9),
    "unequal spreads": lambda rng: _groups(rng, (5, 7), shapes=round_shapes),
    "long groups": lambda rng: _groups(rng, (5, 8), shapes=long_shapes),
    "heavy-tailed groups": lambda rng: _groups(rng, (6, 9), draw=student),
    "skewed groups": lambda rng: _groups(rng, (5, 8), draw=lognormal),
    "peaked groups": lambda rng: _groups(rng, (5, 8), draw=laplace),
    "unequal sizes": _unequal_sizes,
    "few rows": _few,
    "noise columns": _noise_columns,
    "nested groups": _nested,
    "moons": _moons,
    "ring with core": lambda rng: _rings(rng, 0.0),
    "two rings": lambda rng: _rings(rng, 0.4),
    "bars": _bars,
    "rounded groups": _rounded,
    "groups of categories": lambda rng: _categories(rng, int(rng.integers(2, 5))),
    "groups that last, AR(1) 0.5 within": _known("groups that last, AR(1) 0.5 within"),
}
FITTED: dict[str, Maker] = {
    **{name: _known(name) for name in NULLS},
    "curve": _curve,
    "categories": lambda rng: _categories(rng, 1),
    **GROUPS,
    "numbers and categories": lambda rng: _mixed(rng, 1),
    "groups of both": lambda rng: _mixed(rng, int(rng.integers(2, 5))),
}


def _other(make: Callable[[Rng], tuple[np.ndarray, int]]) -> Maker:
    def made(rng: Rng) -> Made:
        X, k = make(rng)
        return columns(X[np.sort(rng.permutation(len(X))[:500])]), k

    return made


def _without(draw: Callable[[Rng, int, int], np.ndarray]) -> Maker:
    return lambda rng: (columns(draw(rng, _rows(rng), int(rng.choice([2, 3, 5, 10])))), 1)


CHECKED: dict[str, Maker] = {f"{make.__name__.replace('_', ' ')}": _other(make) for make in WITH_CLUSTERS}
CHECKED |= {
    f"mixture, {kind.lower()}": _other(lambda rng, kind=kind: random_mixture(rng, kind))  # type: ignore[misc]
    for kind in ("Gaussian", "flat", "heavy-tailed", "skewed")
}
CHECKED |= {name: _known(name) for name in KINDS if name not in FITTED}
CHECKED |= {f"null, {name}": _without(draw) for name, draw in WITHOUT.items()}
