"""Gaussians with a full covariance on rows with missing entries: marginal densities and conditional moments, exact.

Put the observed columns first and factor the covariance in that order, Σ = L Lᵀ. With y_o = L_oo⁻¹ (x_o - u_o):

    -log N(x_o)          = ½ ||y_o||² + Σ_o log L_jj + ½ |o| log 2π
    E[x_m - u_m | x_o]   = L_mo y_o
    cov[x_m | x_o]       = L_mm L_mmᵀ

so one factor per pattern and component serves all rows of that pattern. References: Little and Rubin (2002),
Statistical Analysis with Missing Data, chapter 11; Ghahramani and Jordan (1994), Supervised learning from incomplete
data via an EM approach.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.core.compiled.kernel import kernel

HALF_LOG_2_PI = 0.9189385332046727


class Patterns(NamedTuple):
    """Rows in an order that brings equal patterns of missing entries together."""

    order: np.ndarray  # of the rows
    starts: np.ndarray  # where each pattern begins, and the end
    columns: np.ndarray  # (patterns, d): those that are there, then the missing ones
    there: np.ndarray  # how many are there


def by_pattern(rows: np.ndarray) -> Patterns:
    missing = np.isnan(rows)
    packed = np.packbits(missing, axis=1)
    order = np.lexsort(packed.T)
    packed = packed[order]
    changes = np.flatnonzero((packed[1:] != packed[:-1]).any(axis=1)) + 1
    starts = np.concatenate([[0], changes, [len(rows)]])
    missing = missing[order[starts[:-1]]]
    return Patterns(order, starts, np.argsort(missing, axis=1, kind="stable"), (~missing).sum(axis=1))


def find_distances(rows: np.ndarray, means: np.ndarray, covariances: np.ndarray) -> np.ndarray:
    """(k, rows): -log density of the observed part of each row in each component."""
    patterns, (n, d), none = by_pattern(rows), rows.shape, np.empty((0, 0))
    X, costs, room = rows[patterns.order], np.zeros((len(means), n)), np.empty((d + 1, d))
    for c, mean in enumerate(means):
        condition(X, *patterns[1:], mean, covariances[c % len(covariances)], False, costs[c], none, none, room)
    out = np.empty_like(costs)
    out[:, patterns.order] = costs
    return out


def add_moments(
    rows: np.ndarray, q: np.ndarray, means: np.ndarray, covariances: np.ndarray, first: np.ndarray, second: np.ndarray
) -> None:
    """first[c] += Σ q E[x - u], second[c] += Σ q E[(x - u)(x - u)ᵀ], given the observed part of each row."""
    patterns, d = by_pattern(rows), rows.shape[1]
    X, room = rows[patterns.order], np.empty((d + 1, d))
    for c, mean in enumerate(means):
        share, away, spread = q[c, patterns.order].astype(np.float64), np.zeros_like(X), np.zeros((d, d))
        condition(X, *patterns[1:], mean, covariances[c % len(covariances)], True, share, away, spread, room)
        first[c] += share @ away
        second[c % len(second)] += (away.T * share) @ away + spread


@kernel
def condition(
    X: np.ndarray,
    starts: np.ndarray,
    columns: np.ndarray,
    observed: np.ndarray,
    mean: np.ndarray,
    covariance: np.ndarray,
    filled: bool,
    share: np.ndarray,
    away: np.ndarray,
    spread: np.ndarray,
    room: np.ndarray,
) -> None:
    """share[i] becomes -log density of row i; or, filled, away = E[x - u] and spread += Σ share cov[x], given x_o.

    One function for both, and plain loops over arrays that are handed in: it is compiled in a moment. ``room`` holds L
    and, as its last line, y.
    """
    d = X.shape[1]
    for p in range(observed.size):
        there, mass, constant = observed[p], 0.0, observed[p] * HALF_LOG_2_PI
        for r in range(starts[p], starts[p + 1]):
            mass += share[r]
        size = there if not filled else d if mass != 0.0 else 0  # what has no share stays away = 0
        for i in range(size):
            for j in range(i + 1):
                value = covariance[columns[p, i], columns[p, j]]
                for m in range(j):
                    value -= room[i, m] * room[j, m]
                room[i, j] = np.sqrt(value) if i == j else value / room[j, j]
            constant += np.log(room[i, i])
        for r in range(starts[p], starts[p + 1]):
            norm = 0.0
            for i in range(size):
                at, value = columns[p, i], 0.0
                for m in range(min(i, there)):
                    value += room[i, m] * room[d, m]
                if i < there:
                    distance = X[r, at] - mean[at]
                    room[d, i] = (distance - value) / room[i, i]
                    norm += room[d, i] * room[d, i]
                    value = distance
                if filled:
                    away[r, at] = value
            if not filled:
                share[r] = constant + 0.5 * norm
        for i in range(there, size):
            for j in range(there, size):
                for m in range(there, min(i, j) + 1):
                    spread[columns[p, i], columns[p, j]] += mass * room[i, m] * room[j, m]
