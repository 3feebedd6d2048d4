"""Clusters in equilibrium at one temperature: EM on prototypes and masses, extrapolated where prototypes may be.

Near a transition EM moves ever in the same direction, by a little less each time. From clusters a and the two steps b,
c that follow, r = b - a and v = (c - b) - r give where that leads,

    a + 2 α r + α² v,   α = ||r|| / ||v||,

with an α of its own for every cluster, since some are long at rest where others still part. It is taken if the free
energy there is no higher, which the next pass tells anyway; otherwise EM goes on from c. The free energy never rises.

Varadhan and Roland, Simple and globally convergent methods for accelerating the convergence of any EM algorithm,
Scandinavian Journal of Statistics 35 (2008).
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate
from unmix.costs import mass_constrained, squared_distance
from unmix.costs.base import HasPrototypes
from unmix.costs.distributions import relative_entropy
from unmix.costs.distributions.relative_entropy import RelativeEntropy
from unmix.costs.mass_constrained import Clusters, MassConstrained
from unmix.costs.nearest.centers import JIT_DISABLED
from unmix.costs.nearest.small import FEW_WORK, as_dense
from unmix.costs.squared_distance import SquaredDistance
from unmix.inference.expectation import Pass, expect

FEW_COUNTS = 2 * FEW_WORK  # rows × columns × clusters: columns are gone through by a product of matrices
FUSED_COLUMNS = 32  # beyond, products of matrices are faster
LEAST_LOG = -1e300  # of a mass: 0 times that is 0
FARTHEST = 20.0  # steps at once
ALONE, FOLLOWS, EXTRAPOLATED = 0, 1, 2


class Equilibrium(NamedTuple):
    """The clusters at one temperature; expected cost, entropy H(cluster | row) and free energy a row."""

    iteration: int
    done: bool
    clusters: Clusters  # of the next pass
    kind: int  # FOLLOWS: `other` are those one step before; EXTRAPOLATED: those to go back to
    other: Clusters
    cost: float
    entropy: float
    free_energy: float  # of the pass before


def begin(clusters: Clusters) -> Equilibrium:
    return Equilibrium(0, False, clusters, ALONE, clusters, np.inf, 0.0, np.inf)


def approach(
    X: RowBlocks, cost: HasPrototypes, state: Equilibrium, temperature: float, tol: float, weights: np.ndarray | None
) -> Equilibrium:
    """One pass; done when the free energy falls by less than ``tol``."""
    massed, clusters = MassConstrained(cost, temperature), state.clusters
    total = look(X, massed, clusters, weights)
    free_energy, step = -temperature * total.log_z / total.mass, state.iteration + 1
    if state.kind == EXTRAPOLATED and not free_energy <= state.free_energy:
        return state._replace(iteration=step, clusters=state.other, kind=ALONE)
    held = clusters.masses > 0
    coding = -float(total.stats.mass[held] @ np.log(clusters.masses[held])) / total.mass
    energy = total.cost / total.mass - temperature * coding  # -T log p_c was counted into the cost
    entropy = max(coding - (free_energy - energy) / temperature, 0.0)
    new, done = massed.prototypes(total.stats, clusters), bool(state.free_energy - free_energy < tol)
    kind, following, other = FOLLOWS, new, clusters
    alive = all(known.masses.all() for known in (state.other, clusters, new))
    if state.kind == FOLLOWS and not done and getattr(cost, "any_point", False) and alive:
        kind, following, other = EXTRAPOLATED, extrapolate(cost, state.other, clusters, new, temperature), new
    return Equilibrium(step, done, following, kind, other, energy, entropy, free_energy)


def look(X: RowBlocks, massed: MassConstrained, clusters: Clusters, weights: np.ndarray | None) -> Pass:
    """One pass over the rows, in one compiled call a leaf where there is one."""
    few = X.shape[1] <= FUSED_COLUMNS and not (X.sparse or JIT_DISABLED)
    if type(massed.cost) is SquaredDistance and X.shape[0] * X.shape[1] * len(clusters.masses) <= FEW_WORK:
        return cast(Pass, X.reduce(expect_few, clusters, massed.temperature, rows=weights))
    if few and type(massed.cost) is SquaredDistance:
        from unmix.inference.prototypes.soft_means import expect_means

        return cast(Pass, X.reduce(expect_means, clusters, massed.temperature, rows=weights))
    counts = isinstance(massed.cost, RelativeEntropy) and massed.cost.carried
    if counts and not X.sparse and X.shape[0] * X.shape[1] * len(clusters.masses) <= FEW_COUNTS:
        return cast(Pass, X.reduce(expect_few_counts, massed.cost, clusters, massed.temperature, rows=weights))
    if few and counts:
        from unmix.inference.prototypes.soft_means import expect_counts

        return cast(Pass, X.reduce(expect_counts, massed.cost, clusters, massed.temperature, rows=weights))
    return cast(Pass, X.reduce(expect, massed, clusters, 1 / massed.temperature, rows=weights))


def expect_few(block: Any, weights: np.ndarray | None, clusters: Clusters, temperature: float) -> Pass:
    """`expect` for means of few rows."""
    from scipy.spatial.distance import cdist

    rows = as_dense(block)
    total, q = expect_all(cdist(clusters.prototypes, rows, "sqeuclidean"), len(rows), weights, clusters, temperature)
    mass = q.sum(axis=1)
    return total._replace(stats=mass_constrained.Stats(squared_distance.Stats(q @ rows, mass), mass.copy()))


def expect_few_counts(
    block: np.ndarray, weights: np.ndarray | None, cost: RelativeEntropy, clusters: Clusters, temperature: float
) -> Pass:
    """`expect` for few rows of counts that carry their entropies."""
    h = np.maximum((cost.carried_factors(clusters.prototypes) / cost.unit) @ block.T, 0.0)
    total, q = expect_all(h, len(block), weights, clusters, temperature)
    counts = (q @ block)[:, :-1].copy()
    inner = relative_entropy.Stats(counts, counts.sum(axis=1))
    return total._replace(stats=mass_constrained.Stats(inner, q.sum(axis=1)))


def expect_all(
    a: np.ndarray, n: int, weights: np.ndarray | None, clusters: Clusters, temperature: float
) -> tuple[Pass, np.ndarray]:
    """Weights times q (k, n) of distances, in few array operations on a = -h / T = log p - d / T, which they become."""
    w = np.ones(n) if weights is None else weights
    with np.errstate(divide="ignore"):
        log_p = np.maximum(np.log(clusters.masses), LEAST_LOG)
    a *= -1 / temperature
    a += log_p[:, None]
    top = a.max(axis=0)
    q = np.exp(a - top)
    z = q.sum(axis=0)
    q *= w / z
    return Pass(None, float(w.sum()), float(w @ (top + np.log(z))), -temperature * float(np.vdot(q, a))), q


def end(state: Equilibrium) -> Equilibrium:
    """Extrapolated clusters that no pass has tried are not a result."""
    return state._replace(clusters=state.other, kind=ALONE) if state.kind == EXTRAPOLATED else state


def extrapolate(cost: Any, first: Clusters, second: Clusters, third: Clusters, temperature: float) -> Clusters:
    """Where two steps of EM lead; masses by their logarithms, which count as prototypes do in units of √T.

    A cost whose prototypes are not free has `flatten` and `bend`, to and from coordinates with Euclidean costs.
    """
    unit, curved = np.sqrt(temperature), hasattr(cost, "flatten")
    points = [cost.flatten(U) if curved else U for U, _ in (first, second, third)]
    masses = (first.masses, second.masses, third.masses)
    a, b, c = (np.column_stack([U, unit * np.log(p)]) for U, p in zip(points, masses, strict=True))
    r, v = b - a, c - b - (b - a)
    length, bend = np.sqrt((r * r).sum(axis=1)), np.sqrt((v * v).sum(axis=1))
    far = np.clip(length / np.where(bend > 0, bend, np.inf), 1.0, FARTHEST)[:, None]
    leads = a + 2 * far * r + far**2 * v
    mass = np.exp((leads[:, -1] - leads[:, -1].max()) / unit)
    U = np.ascontiguousarray(leads[:, :-1])
    return Clusters(cost.bend(U) if curved else U, mass / mass.sum())


def em_to_equilibrium(
    X: RowBlocks,
    cost: HasPrototypes,
    clusters: Clusters,
    temperature: float,
    weights: np.ndarray | None,
    tol: float,
    most: int,
) -> Equilibrium:
    """Passes until it is done, at most so many, observed one by one."""

    def advance(state: Equilibrium) -> tuple[Equilibrium, dict[str, float]]:
        state = approach(X, cost, state, temperature, tol, weights)
        return state, {"free_energy": state.free_energy, "cost": state.cost}

    return end(iterate(advance, begin(clusters), max_iter=most, name="expectation"))
