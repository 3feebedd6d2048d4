"""Tables of a known density, by the kind that made them: rows, their log-densities, and those of single columns.

Parameters are drawn before rows: with the same generator, more rows are more of the same law.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import logsumexp
from scipy.stats import multivariate_normal, norm

Made = tuple[np.ndarray, np.ndarray, np.ndarray | None]  # the last is the sum over columns, None if not known


def neither(rng: np.random.Generator, n: int, d: int) -> Made:
    X = rng.normal(size=(n, d))
    alone = norm.logpdf(X).sum(axis=1)
    return X, alone, alone


def factors(rng: np.random.Generator, n: int, d: int) -> Made:
    W = rng.normal(size=(2, d))
    X = rng.normal(size=(n, 2)) @ W + 0.5 * rng.normal(size=(n, d))
    covariance = W.T @ W + 0.25 * np.eye(d)
    alone = norm(scale=np.sqrt(np.diag(covariance))).logpdf(X).sum(axis=1)
    return X, multivariate_normal(np.zeros(d), covariance).logpdf(X), alone


def groups(rng: np.random.Generator, n: int, d: int) -> Made:
    return _grouped(rng, n, np.eye(d))


def both(rng: np.random.Generator, n: int, d: int) -> Made:
    W = rng.normal(size=(2, d))
    return _grouped(rng, n, W.T @ W + 0.25 * np.eye(d))


def sources(rng: np.random.Generator, n: int, d: int) -> Made:
    A, S = rng.normal(size=(d, d)), rng.laplace(size=(n, d))
    return S @ A, -np.abs(S).sum(axis=1) - d * np.log(2) - np.linalg.slogdet(A)[1], None


def parts(rng: np.random.Generator, n: int, d: int) -> Made:
    U, sets = 2 * rng.normal(size=(3, d)), (np.arange(8)[:, None] >> np.arange(3)) % 2
    X = (rng.normal(size=(n, 3)) * (rng.random((n, 3)) < 0.2)) @ U + 0.3 * rng.normal(size=(n, d))
    terms = [
        np.log(np.where(on, 0.2, 0.8)).sum()
        + multivariate_normal(np.zeros(d), (U.T * on) @ U + 0.09 * np.eye(d)).logpdf(X)
        for on in sets
    ]
    return X, logsumexp(terms, axis=0), None


def _grouped(rng: np.random.Generator, n: int, covariance: np.ndarray) -> Made:
    d = len(covariance)
    means = 2 * rng.normal(size=(3, d))
    X = means[rng.integers(3, size=n)] + rng.multivariate_normal(np.zeros(d), covariance, size=n)
    alone = logsumexp([norm(u, np.sqrt(np.diag(covariance))).logpdf(X) for u in means], axis=0) - np.log(3)
    joint = logsumexp([multivariate_normal(u, covariance).logpdf(X) for u in means], axis=0) - np.log(3)
    return X, joint, alone.sum(axis=1)


PLANTED: dict[str, Callable[[np.random.Generator, int, int], Made]] = {
    "independent": neither,
    "factors": factors,
    "groups": groups,
    "both": both,
    "sources": sources,
    "parts": parts,
}

NULLS: dict[str, Callable[[np.random.Generator, int, int], Any]] = {
    "normal": lambda rng, n, d: rng.normal(size=(n, d)),
    "lognormal": lambda rng, n, d: rng.lognormal(size=(n, d)),
    "Student, 3 degrees": lambda rng, n, d: rng.standard_t(3, size=(n, d)),
    "two humps": lambda rng, n, d: rng.normal(3.0 * rng.choice([-1, 1], size=(n, d)), 1),
    "uniform": lambda rng, n, d: rng.uniform(size=(n, d)),
    "exponential": lambda rng, n, d: rng.exponential(size=(n, d)),
    "five levels": lambda rng, n, d: rng.integers(1, 6, size=(n, d)),
    "truth values": lambda rng, n, d: rng.random((n, d)) < 0.3,
    "counts": lambda rng, n, d: rng.poisson(20, size=(n, d)),
    "rounded": lambda rng, n, d: np.round(rng.normal(size=(n, d)), 1),
    "gaps": lambda rng, n, d: np.where(rng.random((n, d)) < 0.1, np.nan, rng.normal(size=(n, d))),
}
