"""Tables without groups, of independent and of dependent rows, and tables with groups of the same roughness."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.nulls.curved import CURVED, Cloud

Columns = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """One way to make a table; `groups` is how many it holds, `dependent` whether its rows depend on each other."""

    make: Callable[[np.random.Generator], Columns]
    groups: int = 1
    dependent: bool = False


def columns(X: np.ndarray, **more: Any) -> Columns:
    return {**more, **{f"x{j}": X[:, j] for j in range(X.shape[1])}}


def cloud(rng: np.random.Generator, n: int = 300, d: int = 4, common: float = 0.0) -> np.ndarray:
    """Gaussian rows of unit variance, a share of it common to all columns."""
    return np.sqrt(common) * rng.normal(size=(n, 1)) + np.sqrt(1 - common) * rng.normal(size=(n, d))


def groups(rng: np.random.Generator, n: int = 300, d: int = 4, far: float = 6.0) -> np.ndarray:
    """Three groups of equal size in random order, as far from each other as given, of unit variance."""
    centres = np.zeros((3, d))
    centres[1, : d // 2], centres[2, d // 2 :] = far / np.sqrt(d // 2), far / np.sqrt(d - d // 2)
    return centres[rng.integers(3, size=n)] + rng.normal(size=(n, d))


def sorted_groups(rng: np.random.Generator) -> np.ndarray:
    return np.repeat(np.eye(3), 100, axis=0) * 5 + rng.normal(size=(300, 3))


def autoregressive(rng: np.random.Generator, n: int, d: int, coefficient: float) -> np.ndarray:
    """x_i = c x_{i-1} + sqrt(1 - c²) ε_i: unit variance from the first row on; c = 1 is a random walk."""
    steps = rng.normal(size=(n, d))
    if coefficient == 1:
        return steps.cumsum(axis=0)
    rows = np.empty((n, d))
    rows[0] = steps[0]
    for i in range(1, n):
        rows[i] = coefficient * rows[i - 1] + np.sqrt(1 - coefficient**2) * steps[i]
    return rows


def likert(X: np.ndarray) -> np.ndarray:
    return np.clip(np.rint(X + 3), 1, 5)


def with_gaps(X: np.ndarray, rng: np.random.Generator, share: float) -> np.ndarray:
    return np.where(rng.random(X.shape) < share, np.nan, X)


def filled_by_means(X: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(X), np.nanmean(X, axis=0), X)


def tens_with_odd_values(X: np.ndarray, rng: np.random.Generator, share: float = 0.03) -> np.ndarray:
    units = np.rint(100 + 30 * X)
    return np.where(rng.random(X.shape) < share, units, 10 * np.rint(units / 10))


def rounded_lognormal(X: np.ndarray) -> np.ndarray:
    return np.maximum(np.rint(np.exp(1.5 + X)), 1)


def counts(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return rng.poisson(np.exp(1 + X)).astype(float)


def repeated(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    rows = np.repeat(X[: len(X) // 3], rng.integers(1, 6, len(X) // 3), axis=0)
    return rows[rng.permutation(len(rows))]


def seasonal(rng: np.random.Generator, n: int = 240, period: int = 12) -> np.ndarray:
    turns = 2 * np.pi * (np.arange(n)[:, None] / period + rng.random(4))
    return rng.uniform(1, 2, 4) * np.sin(turns) + 0.5 * rng.normal(size=(n, 4))


def panel(rng: np.random.Generator, by_year: bool = False, levels: np.ndarray | None = None) -> Columns:
    """Thirty countries in twelve years: a level of each country, a slow change of its own, and little noise."""
    levels = 2 * rng.normal(size=(30, 3)) if levels is None else levels
    rows = levels[:, None] + 0.3 * rng.normal(size=(30, 12, 3)).cumsum(axis=1) + 0.1 * rng.normal(size=(30, 12, 3))
    country, year = np.meshgrid(np.arange(30), np.arange(2000, 2012), indexing="ij")
    axes = (1, 0) if by_year else (0, 1)
    names = np.array([f"country {c}" for c in country.transpose(axes).ravel()])
    return columns(rows.transpose(*axes, 2).reshape(-1, 3), country=names, year=year.transpose(axes).ravel())


def dated_walk(rng: np.random.Generator) -> Columns:
    """A random walk whose rows are out of order, with a date each."""
    order = rng.permutation(300)
    dates = np.datetime64("2020-01-01") + order.astype("timedelta64[D]")
    return columns(autoregressive(rng, 300, 4, 1.0)[order], date=dates)


def moved_walk(rng: np.random.Generator) -> Columns:
    """A random walk whose rows are out of order, with their numbers."""
    order = rng.permutation(300)
    return columns(autoregressive(rng, 300, 3, 1.0)[order], step=order)


def prices(rng: np.random.Generator) -> Columns:
    """What a share cost at the beginning and the end of each day, and how many were sold, which follows nothing."""
    close = 100 * np.exp(autoregressive(rng, 400, 1, 1.0)[:, 0] / 70)
    opened = np.r_[100, close[:-1]]
    high, low = np.maximum(opened, close), np.minimum(opened, close)
    spread = np.exp(0.005 * np.abs(rng.normal(size=(2, 400))))
    sold = np.rint(np.exp(13 + 0.4 * rng.normal(size=400)))
    return {"open": opened, "high": high * spread[0], "low": low / spread[1], "close": close, "volume": sold}


def top_coded(rng: np.random.Generator) -> np.ndarray:
    """Incomes to the hundred, the highest tenth of each column written as its limit."""
    turn = rng.normal(size=(5, 3))
    X = np.round(np.exp(10 + 0.8 * rng.normal(size=(400, 5)) @ turn / np.linalg.norm(turn, axis=0)), -2)
    return np.minimum(X, np.quantile(X, 0.9, axis=0))


def regimes(rng: np.random.Generator, stay: float, coefficient: float) -> Columns:
    """Three groups that follow each other, each for 1 / (1 - stay) rows, with dependent noise within."""
    label, labels = 0, []
    for _ in range(400):
        label = label if rng.random() < stay else int(rng.integers(3))
        labels.append(label)
    centres = np.array([[0, 0, 0, 0], [5, 5, 0, 0], [0, 0, 5, 5]])
    return columns(centres[labels] + autoregressive(rng, 400, 4, coefficient))


def grouped_panel(rng: np.random.Generator) -> Columns:
    centres = np.array([[0.0, 0, 0], [9, 0, 9], [0, 9, 0]])
    return panel(rng, levels=centres[rng.integers(3, size=30)] + rng.normal(size=(30, 3)))


def curved(make: Cloud) -> Callable[[np.random.Generator], Columns]:
    """Of 150 to 1,400 rows."""
    return lambda rng: columns(make(rng, int(rng.integers(150, 1400))))


KINDS: dict[str, Kind] = {
    "Gaussian, common factor": Kind(lambda rng: columns(cloud(rng, common=0.5))),
    "heavy tails": Kind(lambda rng: columns(rng.standard_t(2, size=(300, 4)))),
    "uniform": Kind(lambda rng: columns(rng.random((300, 3)))),
    "Likert": Kind(lambda rng: columns(likert(cloud(rng, common=0.4)))),
    "Likert, 1 % missing": Kind(lambda rng: columns(with_gaps(likert(cloud(rng, common=0.4)), rng, 0.01))),
    "Likert, filled by means": Kind(
        lambda rng: columns(filled_by_means(with_gaps(likert(cloud(rng, common=0.4)), rng, 0.02)))
    ),
    "tens, 3 % odd": Kind(lambda rng: columns(tens_with_odd_values(cloud(rng, d=2, common=0.3), rng))),
    "rounded lognormal": Kind(lambda rng: columns(rounded_lognormal(cloud(rng)))),
    "rounded lognormal, common factor": Kind(lambda rng: columns(rounded_lognormal(cloud(rng, common=0.6)))),
    "counts": Kind(lambda rng: columns(counts(cloud(rng), rng))),
    "counts, common factor": Kind(lambda rng: columns(counts(cloud(rng, common=0.6), rng))),
    "10 % missing": Kind(lambda rng: columns(with_gaps(cloud(rng, common=0.5), rng, 0.1))),
    "12 columns, 10 % missing": Kind(lambda rng: columns(with_gaps(cloud(rng, d=12, common=0.5), rng, 0.1))),
    "repeated rows": Kind(lambda rng: columns(repeated(cloud(rng, 450), rng))),
    "top-coded": Kind(lambda rng: columns(top_coded(rng))),
    "weights, row after row": Kind(
        lambda rng: columns(np.repeat(np.round(np.exp(cloud(rng, 200, 3)), 1), rng.poisson(3, 200), axis=0))
    ),
    **{f"curved: {name}": Kind(curved(make)) for name, make in CURVED.items()},
    "random walks": Kind(lambda rng: columns(autoregressive(rng, 300, 4, 1.0)), dependent=True),
    "random walks out of order, dated": Kind(dated_walk, dependent=True),
    "random walks out of order, numbered": Kind(moved_walk, dependent=True),
    "prices and volumes": Kind(prices, dependent=True),
    "AR(1), 0.5": Kind(lambda rng: columns(autoregressive(rng, 300, 4, 0.5)), dependent=True),
    "AR(1), 0.9": Kind(lambda rng: columns(autoregressive(rng, 300, 4, 0.9)), dependent=True),
    "AR(1), 0.98": Kind(lambda rng: columns(autoregressive(rng, 500, 3, 0.98)), dependent=True),
    "seasonal": Kind(lambda rng: columns(seasonal(rng)), dependent=True),
    "country × year": Kind(panel, dependent=True),
    "year × country": Kind(lambda rng: panel(rng, by_year=True), dependent=True),
    "groups": Kind(lambda rng: columns(groups(rng)), 3),
    "groups, sorted": Kind(lambda rng: columns(sorted_groups(rng)), 3),
    "groups, Likert, 1 % missing": Kind(
        lambda rng: columns(with_gaps(np.clip(np.rint(groups(rng, d=6) / 2 + 2), 1, 5), rng, 0.01)), 3
    ),
    "groups, tens, 3 % odd": Kind(lambda rng: columns(tens_with_odd_values(groups(rng), rng)), 3),
    "groups, counts": Kind(lambda rng: columns(counts(groups(rng) / 2, rng)), 3),
    "groups, 10 % missing": Kind(lambda rng: columns(with_gaps(groups(rng), rng, 0.1)), 3),
    "groups, repeated rows": Kind(lambda rng: columns(repeated(groups(rng, 450), rng)), 3),
    "groups, AR(1) 0.5 within": Kind(lambda rng: regimes(rng, 0.0, 0.5), 3, True),
    "groups that last, AR(1) 0.5 within": Kind(lambda rng: regimes(rng, 0.9, 0.5), 3, True),
    "groups of countries × year": Kind(grouped_panel, 3, True),
}  # fmt: skip
