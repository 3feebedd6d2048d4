"""Random tables of every kind that clustering costs take, hard enough for searches to end apart."""

from typing import Any

import numpy as np


def rows(rng: np.random.Generator, n: int) -> np.ndarray:
    """Overlapping groups in few dimensions, not as many as will be asked for."""
    d, groups = int(rng.integers(2, 6)), int(rng.integers(2, 9))
    centres = 2.0 * rng.normal(size=(groups, d))
    return centres[rng.integers(0, groups, n)] + rng.normal(size=(n, d))


def directions(rng: np.random.Generator, n: int) -> np.ndarray:
    X = rows(rng, n)
    return X - X.mean(axis=0)


def dissimilarities(rng: np.random.Generator, n: int) -> np.ndarray:
    """Distances of rows with noise: neither metric nor Euclidean."""
    X = rows(rng, n)
    D = np.abs(((X[:, None] - X) ** 2).sum(axis=2) + 2.0 * rng.normal(size=(n, n)))
    D = D + D.T
    np.fill_diagonal(D, 0.0)
    return D


def affinities(rng: np.random.Generator, n: int) -> np.ndarray:
    X = rows(rng, n)
    W = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 4)
    np.fill_diagonal(W, 0.0)
    return W


def similarities(rng: np.random.Generator, n: int) -> np.ndarray:
    """Groups that like each other, under noise as large as what they say."""
    labels = rng.integers(0, int(rng.integers(2, 9)), n)
    S = np.where(labels[:, None] == labels, 1.0, -1.0) + 1.5 * rng.normal(size=(n, n))
    return S + S.T


def counts(rng: np.random.Generator, n: int) -> np.ndarray:
    groups, columns = int(rng.integers(3, 7)), int(rng.integers(8, 30))
    laws = rng.dirichlet(np.full(columns, 0.5), groups)
    return np.array([rng.multinomial(20, laws[group]) for group in rng.integers(0, groups, n)]).astype(float)


def couplings(rng: np.random.Generator, n: int) -> Any:
    J = np.triu(rng.normal(size=(n, n)), 1)
    return J + J.T
