"""Tables of any size with something in them to find: n rows, d columns, k parts."""

import numpy as np

from unmix.datasets import planted_roles


def groups(n: int, d: int, k: int, rng: np.random.Generator) -> np.ndarray:
    """k round clusters whose centres are a few standard deviations apart, however many columns there are."""
    centers = rng.normal(size=(k, d)) * 5 / np.sqrt(d) * max(k, 2) ** (1 / d)
    return centers[rng.integers(k, size=n)] + rng.normal(size=(n, d)) / np.sqrt(d)


def roll(n: int, d: int, k: int, rng: np.random.Generator) -> np.ndarray:
    """A rolled-up sheet in d columns: points of a volume would have neighbours that no plane can keep."""
    angle = 1.5 * np.pi * (1 + 2 * rng.random(n))
    sheet = np.column_stack([angle * np.cos(angle), 21 * rng.random(n), angle * np.sin(angle)])
    return sheet @ np.linalg.qr(rng.normal(size=(d, 3)))[0].T


def low_rank(n: int, d: int, k: int, rng: np.random.Generator) -> np.ndarray:
    return rng.normal(size=(n, k)) @ rng.normal(size=(k, d)) + 0.1 * rng.normal(size=(n, d))


def amounts(n: int, d: int, k: int, rng: np.random.Generator) -> np.ndarray:
    return rng.exponential(size=(n, k)) @ rng.exponential(size=(k, d)) + 0.1 * rng.random((n, d))


def ratings(n: int, d: int, k: int, rng: np.random.Generator) -> np.ndarray:
    """A fifth of the entries is known, and at least one of every row."""
    table = low_rank(n, d, k, rng)
    known = rng.random((n, d)) < 0.2
    known[np.arange(n), rng.integers(d, size=n)] = True
    return np.where(known, table, np.nan)


def gross_errors(n: int, d: int, k: int, rng: np.random.Generator) -> np.ndarray:
    table = rng.normal(size=(n, k)) @ rng.normal(size=(k, d))
    return table + np.where(rng.random((n, d)) < 0.05, 10 * rng.normal(size=(n, d)), 0.0)


def sparse_combinations(n: int, d: int, k: int, rng: np.random.Generator) -> np.ndarray:
    """Three of k atoms a row."""
    codes = np.where(rng.random((n, k)) < 3 / k, rng.normal(size=(n, k)), 0.0)
    return codes @ rng.normal(size=(k, d)) + 0.05 * rng.normal(size=(n, d))


def sources(n: int, d: int, k: int, rng: np.random.Generator) -> np.ndarray:
    return rng.laplace(size=(n, d)) @ rng.normal(size=(d, d))


def series(n: int, d: int, k: int, rng: np.random.Generator) -> np.ndarray:
    """Mixtures of d signals of different pitch."""
    tones = np.sin(np.outer(np.arange(n), np.linspace(0.05, 1.5, d)) + rng.random(d)) + 0.3 * rng.normal(size=(n, d))
    return tones @ rng.normal(size=(d, d))


def counts(n: int, d: int, k: int, rng: np.random.Generator) -> np.ndarray:
    """About a hundred counts a row, drawn from one of k distributions over d values."""
    prototypes = rng.dirichlet(np.full(d, 0.5), size=k)
    return rng.poisson(100 * prototypes[rng.integers(k, size=n)]).astype(float) + np.eye(1, d)


def pairs(n: int, d: int, k: int, rng: np.random.Generator) -> np.ndarray:
    """Squared distances between n objects in k groups."""
    X = groups(n, 5, k, rng)
    squares = (X**2).sum(axis=1)
    table = np.maximum(squares[:, None] + squares - 2 * (X @ X.T), 0.0)
    np.fill_diagonal(table, 0.0)
    return table


def affinities(n: int, d: int, k: int, rng: np.random.Generator) -> np.ndarray:
    return np.exp(-pairs(n, d, k, rng) / 4)


def similarities(n: int, d: int, k: int, rng: np.random.Generator) -> np.ndarray:
    """Positive within groups, negative between them, and noise."""
    group = rng.integers(k, size=n)
    table = np.where(group[:, None] == group, 1.0, -1.0) + rng.normal(size=(n, n))
    return (table + table.T) / 2


def access(n: int, d: int, k: int, rng: np.random.Generator) -> np.ndarray:
    """Users, permissions, roles of about ten permissions each, one entry of a hundred wrong."""
    return planted_roles(n, d, k, density=min(0.25, 10 / d), noise=0.02, random_state=int(rng.integers(2**31))).X
