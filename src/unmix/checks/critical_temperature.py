"""Whether the temperatures at which clusters are said to part are those at which their copies do.

Two copies of a prototype at u ± e draw rows apart by shares proportional to exp(-h/T), and the means of these are the
next copies. One step takes a small e to (T_c / T) e along the direction in which copies part first, so that at T_c it
stays as long as it is, and along no other direction does it grow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.checks.evidence import leaves, require, take_objects
from unmix.core.summation.tree import merge
from unmix.costs.base import HasCriticalTemperatures, HasPrototypes, first_prototypes, n_objects

SMALL = 1e-5  # of a share, so that a step is linear
ABOVE = 0.25  # relative difference by which cooling may begin too high: that costs time and no more
STEPS = 300
LEAST = np.finfo(float).tiny * 2.0**60  # of a temperature that one can divide by
NEAR = 0.04  # relative difference; what smoothing changes in prototypes is left to it


def parting_temperature(cost: Any, data: Any, mass: np.ndarray, T: float) -> float:
    """T_c of the cluster that holds these shares of the rows, by powers of the step at T, which is above it."""
    away = np.random.default_rng(0).normal(size=len(mass))
    growth, U = 0.0, first_prototypes(cost, data, 2)
    for _ in range(STEPS):
        away *= SMALL / np.abs(away).max()
        q = np.stack([0.5 + away, 0.5 - away], axis=1)
        for _ in range(2):  # statistics may be taken about the prototypes before
            U = cost.prototypes(cost.statistics(data, mass[:, None] * q, U), U)
        h = np.asarray(cost.distances(data, U), np.float64)
        new = 0.5 * np.tanh((h[:, 1] - h[:, 0]) / (2 * T))
        growth, away = float(mass @ (new * away)) / float(mass @ (away * away)), new
        if not away.any():
            return 0.0
    return growth * T


def check_first_temperature(cost: Any, data: Any) -> None:
    """`critical_temperature` is where all rows, as one cluster, part."""
    if not (isinstance(cost, HasPrototypes) and hasattr(cost, "critical_temperature")):
        return
    said, name = float(cost.critical_temperature(data)), type(cost).__name__
    true = parting_temperature(cost, data, np.ones(n_objects(data)), max(said, LEAST))
    words = f"{name}.critical_temperature is {said:.6g}, but clusters part at {true:.6g}"
    require((1 - NEAR) * true <= said <= (1 + ABOVE) * true, words)


def check_critical_temperatures(cost: Any, data: Any, k: int, rng: np.random.Generator) -> None:
    """`critical_temperatures` of soft clusters are those at which each parts, and `scatter` adds up."""
    if not (isinstance(cost, HasCriticalTemperatures) and isinstance(data, np.ndarray)):
        return
    if not cost.closed_form(data.shape[1], False):
        return
    name, n = type(cost).__name__, n_objects(data)
    q, U = rng.dirichlet(np.ones(k), n), first_prototypes(cost, data, k)
    for _ in range(2):
        stats = cost.statistics(data, q, U)
        U = cost.prototypes(stats, U)
    centers = cost.centers(stats) if hasattr(cost, "centers") else U
    whole = cost.scatter(data, q, centers)
    blocks = [(take_objects(data, part), q[part]) for part in (np.arange(n // 2), np.arange(n // 2, n))]
    if all(block is not None for block, _ in blocks):
        both = merge(*(cost.scatter(block, share, centers) for block, share in blocks))
        same = all(np.allclose(a, b, rtol=1e-9) for a, b in zip(leaves(both), leaves(whole), strict=True))
        require(same, f"{name}.scatter of two blocks does not add up to that of all rows, in float64")
    said, ways = cost.critical_temperatures(whole, centers)
    lost = [leaf.dtype for leaf in leaves(whole) if leaf.dtype == np.float32]
    require(not lost, f"{name}.scatter is added up in float32; add in float64")
    for c in range(k):
        true = parting_temperature(cost, data, q[:, c], max(float(said[c]), LEAST))
        words = f"{name}.critical_temperatures: cluster {c} parts at {true:.6g}, not at {said[c]:.6g}"
        require(abs(said[c] - true) <= NEAR * max(float(said[c]), true), words)
        grown = _growth(cost, data, q[:, c], centers[c], ways[c], true)
        words = (
            f"{name}.critical_temperatures: copies of cluster {c} moved along its direction grow by {grown:.3g}, not 1"
        )
        require(abs(grown - 1) <= NEAR or true <= LEAST, words)


def _growth(cost: Any, data: Any, mass: np.ndarray, center: np.ndarray, way: np.ndarray, T: float) -> float:
    """How much farther apart two copies are after a step, which were moved along a direction."""
    far = np.full(1, SMALL * T)
    one, other = (cost.perturbed(center[None], sign * way[None], far) for sign in (1.0, -1.0))
    U = np.concatenate([one, other])
    h = np.asarray(cost.distances(data, U), np.float64)
    share = 0.5 + 0.5 * np.tanh((h[:, 1] - h[:, 0]) / (2 * T))
    q = mass[:, None] * np.stack([share, 1 - share], axis=1)
    new = cost.prototypes(cost.statistics(data, q, U), U)
    before, after = (float(cost.separation(part)[0, 1]) for part in (U, new))
    return (after / before) ** 0.5 if before > 0 else 0.0
