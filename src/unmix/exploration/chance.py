"""How much tighter the clusters are than those K-means finds in tables without clusters: the gap statistic.

gap(k) = mean over reference tables of log W_ref(k) - log W(k),   W = sum of squared distances to the nearest centre.
A reference table keeps what is no cluster structure: means and covariances of the continuous columns (a Gaussian),
and the exact values of the discrete ones, shuffled on their own.            (Tibshirani, Walther, Hastie 2001)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.core.random import spawn
from unmix.exploration.methods import make_kmeans


class Gap(NamedTuple):
    """gap(k), its standard error, and the smallest number of clusters no larger number clearly beats."""

    values: np.ndarray
    errors: np.ndarray
    best: int


def gap_statistic(
    X: np.ndarray, owner: np.ndarray, discrete: np.ndarray, ks: list[int], seed: int, repeats: int = 10
) -> Gap:
    """`discrete[j]` marks features that take few values; `ks` starts at 1."""
    observed = np.array([_log_spread(X, k, seed) for k in ks])
    chance = np.empty((repeats, len(ks)))
    for repeat in range(repeats):
        reference = reference_table(X, owner, discrete, spawn(seed, 3, repeat))
        chance[repeat] = [_log_spread(reference, k, seed) for k in ks]
    values = chance.mean(axis=0) - observed
    errors = chance.std(axis=0, ddof=1) * np.sqrt(1 + 1 / repeats)
    clear = values[:-1] >= values[1:] - errors[1:]
    return Gap(values, errors, ks[int(np.argmax(clear))] if clear.any() else ks[int(np.argmax(values))])


def reference_table(X: np.ndarray, owner: np.ndarray, discrete: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A table of the same size with the same scales and correlations but no clusters."""
    reference = np.empty_like(X)
    for column in np.unique(owner[discrete]):
        reference[:, owner == column] = X[rng.permutation(len(X))][:, owner == column]
    if not discrete.all():
        smooth = X[:, ~discrete]
        centred = smooth - smooth.mean(axis=0)
        _, values, directions = np.linalg.svd(centred, full_matrices=False)
        noise = rng.standard_normal((len(X), len(values)))
        reference[:, ~discrete] = (noise * values / np.sqrt(len(X))) @ directions + smooth.mean(axis=0)
    return reference


def _log_spread(X: np.ndarray, k: int, seed: int) -> float:
    if k == 1:
        inertia = float(((X - X.mean(axis=0)) ** 2).sum())
    else:
        inertia = float(make_kmeans(k, seed, n_init=2).fit(X).inertia_)
    return float(np.log(max(inertia, 1e-12 * X.size)))
