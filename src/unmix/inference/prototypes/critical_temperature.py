"""The temperature at which each cluster parts, and the direction in which it does.

One step of EM multiplies the difference of two copies of a prototype by T_c / T along the direction that leaves first.
A few steps with every prototype doubled are a power iteration for T_c and the direction of any cost; some costs know
both in closed form.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, TypeGuard

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.core.summation.tree import merge
from unmix.costs.base import HasCriticalTemperatures, HasTransitions
from unmix.costs.mass_constrained import Clusters, MassConstrained
from unmix.inference.expectation import Pass, expect, marginals, pieces
from unmix.inference.prototypes import equilibrium

PROBE = 1e-4  # how far copies are moved apart to see whether they part, as a cost in units of T
PROBE_TOL = 5e-4


def probe(
    X: RowBlocks,
    cost: HasTransitions,
    clusters: Clusters,
    directions: np.ndarray,
    temperature: float,
    weights: np.ndarray | None,
    most: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Critical temperature and direction of each cluster: in closed form where the cost has one, else by trial."""
    if has_closed_form(cost, X):
        massed, centers = MassConstrained(cost, temperature), clusters.prototypes
        if hasattr(cost, "centers"):
            centers = cost.centers(X.reduce(expect, massed, clusters, 1 / temperature, rows=weights).stats.inner)
        total = X.reduce(scatter, cost, massed, clusters, centers, rows=weights)
        return cost.critical_temperatures(total.stats, centers)
    return double(X, cost, clusters, directions, temperature, weights, most)


def has_closed_form(cost: HasTransitions, X: RowBlocks) -> TypeGuard[HasCriticalTemperatures]:
    return isinstance(cost, HasCriticalTemperatures) and cost.closed_form(X.shape[1], X.sparse)


def scatter(
    block: Any,
    weights: np.ndarray | None,
    cost: HasCriticalTemperatures,
    massed: MassConstrained,
    clusters: Clusters,
    centers: np.ndarray,
) -> Pass:
    """The statistics of critical temperatures of one leaf, piece by piece."""
    parts = []
    for piece, share in pieces(block, weights, len(clusters.masses)):
        q = marginals(piece, share, massed, clusters, 1 / massed.temperature)[0]
        parts.append(Pass(cost.scatter(piece, q, centers), 0.0, 0.0, 0.0))
    return reduce(merge, parts)


def double(
    X: RowBlocks,
    cost: HasTransitions,
    clusters: Clusters,
    directions: np.ndarray,
    temperature: float,
    weights: np.ndarray | None,
    most: int,
) -> tuple[np.ndarray, np.ndarray]:
    """By EM steps with every prototype doubled: a power iteration."""
    massed, k = MassConstrained(cost, temperature), len(clusters.masses)
    far, critical = np.full(k, PROBE * temperature), np.zeros(k)
    for step_number in range(most):
        pair = [cost.perturbed(clusters.prototypes, sign * directions, far) for sign in (1, -1)]
        size = np.sqrt(((positions(cost, pair[0]) - positions(cost, pair[1])) ** 2).sum(axis=1))
        doubled = Clusters(np.vstack(pair), np.tile(clusters.masses / 2, 2))
        total = equilibrium.look(X, massed, doubled, weights)
        U = positions(cost, massed.prototypes(total.stats, doubled).prototypes)
        step = U[:k] - U[k:]
        norm = np.sqrt((step * step).sum(axis=1))
        before, critical = critical, temperature * norm / np.where(size > 0, size, 1.0)
        directions = np.where(norm[:, None] > 0, step, directions)
        if step_number > 3 and (np.abs(critical - before) <= PROBE_TOL * critical.max()).all():
            break
    return critical, directions


def positions(cost: Any, prototypes: np.ndarray) -> np.ndarray:
    """The part of the rows that tells prototypes apart; a cost may carry more in them, and then says so."""
    return np.asarray(cost.positions(prototypes) if hasattr(cost, "positions") else prototypes)
