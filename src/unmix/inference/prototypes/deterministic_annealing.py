"""Deterministic annealing: the clusters of least free energy, followed from one cluster down to low temperature.

    F(T) = min over U, p of  -T Σ_i w_i log Σ_c p_c exp(-h_ic(U) / T)  =  <R> + T I(row; cluster)

Above its critical temperature T_c a cluster is one: two copies of its prototype, moved apart a little, come back
together. Below T_c they drift apart. One step of EM multiplies the difference of two such copies by T_c / T along the
direction that leaves first, so a few steps with every prototype doubled (a power iteration) tell T_c and the direction
for any cost. The temperature falls geometrically but never past the next T_c by more than LATE, so that splits happen
one after the other, each where it is predicted; copies that come back together are joined again. It ends when there are
enough clusters and assignments are hard, or when no cluster can part any more: what is left inside is rounding. The
first temperature, which a single far row can make as high as you like, has no part in that.

Rose, Proc. IEEE 86 (1998); Rose, Gurewitz and Fox, Physical Review Letters 65 (1990).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate
from unmix.core.random import spawn
from unmix.costs.base import HasTransitions
from unmix.costs.mass_constrained import Clusters, MassConstrained
from unmix.inference.expectation import expect
from unmix.inference.prototypes import equilibrium
from unmix.inference.prototypes.critical_temperature import PROBE, has_closed_form, positions, probe
from unmix.inference.prototypes.equilibrium import Equilibrium

LATE = 0.01  # a split is made at T = (1 - LATE) T_c
SAME = 4e-3  # prototypes with a separation below this many T count as one
FEW_PROBES = 20
LEAST_MASS = 1e-12
WORTH = 0.3  # of the largest gain among clusters that could part: those with less wait for the next temperature
LEAST_STEP = 0.98  # the temperature falls by at least this factor, whatever is predicted
QUIET = 1e-3  # hard clusters with critical temperatures below this many T stay as they are until these are reached
LEAP = 0.01  # such trials tell critical temperatures down to this many T
MANY, FEWEST = 20, 6  # clusters from which on temperatures have fewer passes and more splits, and the fewest passes
COLD = 1e-6  # at this many times the least separation, rows that are still undecided are equally far from two clusters
IN_CLOSED_FORM, BY_TRIAL = 8.0, 256.0  # roundings of a prototype within which its copies cannot be told apart


class Schedule(NamedTuple):
    """How the temperature falls and when it is low enough."""

    n_clusters: int
    cooling: float = 0.9
    last: float = 0.0  # stop here; 0 goes on until assignments are hard
    hardness: float = 5e-3  # they are when the entropy of a row, in nats, is below this
    max_iter: int = 60  # EM steps at one temperature
    tol: float = 1e-5  # EM ends when the free energy falls by less than this many T
    by_mass: bool = False  # whether clusters that hold much part before those that are the most overdue


class State(NamedTuple):
    """All that the next temperature needs, and what was seen so far."""

    iteration: int
    done: bool
    temperature: float
    clusters: Clusters
    names: np.ndarray  # (k,) of the effective clusters: 0 is the first one, each split makes two new names
    directions: np.ndarray  # (k, m) along which each would part
    critical: np.ndarray  # (k,) temperature at which it would
    table: np.ndarray  # (temperatures, 6), see COLUMNS
    splits: np.ndarray  # (splits, 5): predicted T, T at which it was seen, parent, and the two children

    def consistent(self) -> bool:
        """As many of each as there are clusters, and splits that lead from the first of them to these."""
        k = len(self.clusters.masses)
        if not k == len(self.names) == len(self.directions) == len(self.critical) or self.splits.shape[1:] != (5,):
            return False
        there = {0}
        for parent, *children in self.splits[:, 2:].tolist():
            if parent not in there:
                return False
            there = (there - {parent}) | set(children)
        return there == set(self.names.tolist())


COLUMNS = ("temperature", "cost", "entropy", "free_energy", "n_clusters", "iterations")


def deterministic_annealing(
    X: RowBlocks, cost: HasTransitions, mean: Any, schedule: Schedule, *, weights: np.ndarray | None, seed: int
) -> State:
    """Follow the clusters from T = ∞, where all rows share the prototype ``mean`` (1, m)."""
    if not isinstance(cost, HasTransitions):
        raise TypeError(f"{type(cost).__name__} has no prototypes that can be copied, which annealing needs")
    start = begin(X, cost, np.asarray(mean, np.float64), weights, seed)

    def advance(state: State) -> tuple[State, dict[str, float]]:
        state = cool(X, cost, state, schedule, weights, seed)
        return state, dict(zip(COLUMNS, state.table[-1].tolist(), strict=True))

    return iterate(advance, start, max_iter=2000, name="annealing")


def begin(X: RowBlocks, cost: HasTransitions, mean: np.ndarray, weights: np.ndarray | None, seed: int) -> State:
    """One cluster, and its critical temperature; where all rows are equal that is 0."""
    clusters = Clusters(mean, np.ones(1))
    size = np.abs(positions(cost, mean))
    directions = spawn(seed, 0).standard_normal(size.shape) * (size + size.max() + 1)
    total = X.reduce(expect, MassConstrained(cost, 1.0), clusters, 1.0, rows=weights)
    energy = total.cost / total.mass
    critical = np.zeros(1)
    if energy > 0:
        critical, directions = probe(X, cost, clusters, directions, energy, weights, 60)
    temperature = float(critical[0]) * 1.05
    row = (temperature, energy, 0.0, energy, 1, 1)
    done = not temperature > 0
    names = np.zeros(1, np.int64)
    return State(0, done, temperature, clusters, names, directions, critical, np.array([row]), np.empty((0, 5)))


def cool(
    X: RowBlocks, cost: HasTransitions, state: State, schedule: Schedule, weights: np.ndarray | None, seed: int
) -> State:
    """One lower temperature: split what is above its critical one, find the equilibrium, look for the next splits."""
    size, grows, tried = len(state.names), len(state.names) < schedule.n_clusters, False
    temperature = next_temperature(state, schedule, grows, 0.0 if has_closed_form(cost, X) else LEAP)
    if grows:
        state = split(cost, state, temperature, schedule, seed)
        tried = len(state.names) > size
    if tried:  # where copies part slowly, the free energy falls slowly
        schedule = schedule._replace(tol=schedule.tol / 10)
    found, steps, k = em_at_temperature(X, cost, state.clusters, temperature, schedule, weights), 0, 0
    while k != len(state.names):  # what has been joined again finds its equilibrium as one
        k, steps = len(state.names), steps + found.iteration
        state = rejoin(cost, state._replace(temperature=temperature, clusters=found.clusters))
        if k != len(state.names):
            found = em_at_temperature(X, cost, state.clusters, temperature, schedule, weights)
    if len(state.names) < schedule.n_clusters:
        critical, directions = probe(X, cost, state.clusters, state.directions, temperature, weights, FEW_PROBES)
        if tried and len(state.names) <= size:  # copies came back: no second try at the next temperature
            critical = np.minimum(critical, temperature * schedule.cooling)
        state = state._replace(critical=critical, directions=directions)
    hard = is_hard(cost, state, found.entropy, schedule)
    done = hard and (len(state.names) >= schedule.n_clusters or not can_part(X, cost, state))
    return measured(state, found._replace(iteration=steps), done or schedule.last >= temperature)


def next_temperature(state: State, schedule: Schedule, grows: bool, leap: float) -> float:
    """Geometric cooling that stops just below the next critical temperature; faster where no split is to come.

    `leap` is the least factor by which it may fall at once.
    """
    lower = state.temperature * (schedule.cooling if grows else schedule.cooling**2)
    if grows:
        ahead = float(state.critical.max()) * (1 - LATE)
        if state.table[-1, 2] < schedule.hardness and state.critical.max() < QUIET * state.temperature:
            lower = max(1.05 * float(state.critical.max()), leap * state.temperature)
        lower = max(lower, min(ahead, state.temperature * LEAST_STEP ** crowd(len(state.names))))
    return max(lower, schedule.last)


def split(cost: HasTransitions, state: State, temperature: float, schedule: Schedule, seed: int) -> State:
    """Replace clusters above their critical temperature by two copies, the most overdue first."""
    (U, p), names, V, critical, splits = (
        state.clusters,
        state.names,
        state.directions,
        state.critical,
        state.splits,
    )
    urgency, least = critical, temperature
    if schedule.by_mass:  # few rows that part with a leap must not take the place of many
        urgency = p * (critical - temperature)
        least = max(WORTH * float(urgency.max()), 0.0)
    for c in np.argsort(-urgency, kind="stable"):
        if not urgency[c] > least or len(U) >= schedule.n_clusters:
            break
        # close to the transition the order parameter is of this size for a uniform density
        far = np.array([max(1.5 * (critical[c] - temperature), 4 * PROBE * temperature)])
        pair = [cost.perturbed(U[c : c + 1], sign * V[c : c + 1], far) for sign in (1, -1)]
        born = int(max(splits[:, 3:].max(initial=0), names.max())) + 1
        splits = np.vstack([splits, [critical[c], temperature, names[c], born, born + 1]])
        fresh = V[c] + 0.1 * np.abs(V[c]).max() * spawn(seed, 1, state.iteration, born).standard_normal(V.shape[1])
        U, p, V = np.vstack([U, pair[1]]), np.append(p, p[c] / 2), np.vstack([V, fresh])
        U[c], p[c] = pair[0][0], p[c] / 2
        names = np.append(names, born + 1)
        names[c] = born
        critical = np.append(critical, 0.0)
        critical[c] = 0.0
    return state._replace(clusters=Clusters(U, p), names=names, directions=V, critical=critical, splits=splits)


def em_at_temperature(
    X: RowBlocks,
    cost: HasTransitions,
    clusters: Clusters,
    temperature: float,
    schedule: Schedule,
    weights: np.ndarray | None,
) -> Equilibrium:
    """EM at one temperature."""
    state, more = equilibrium.begin(clusters), crowd(len(clusters.masses))
    tol, most = schedule.tol * more * temperature, max(schedule.max_iter / more, min(FEWEST, schedule.max_iter))
    while not state.done and state.iteration < most:
        state = equilibrium.approach(X, cost, state, temperature, tol, weights)
    return equilibrium.end(state)


def crowd(k: int) -> float:
    """How many times too many clusters there are to follow each of them closely.

    Among many one of them always parts, slowly, which the next temperature goes on with; and their critical
    temperatures are so dense that meeting each takes temperatures in proportion. Both would grow with k on top of
    the passes, which cost k times as much.
    """
    return max(1.0, k / MANY)


def rejoin(cost: HasTransitions, state: State) -> State:
    """Prototypes that coincide become one again; the younger of the two names goes."""
    (U, p), names, V, critical, splits = state.clusters, state.names, state.directions, state.critical, state.splits
    while len(U) > 1:
        apart = cost.separation(U)
        np.fill_diagonal(apart, np.inf)
        apart[p < LEAST_MASS] = -1.0  # an empty cluster is joined to whatever comes first
        np.fill_diagonal(apart, np.inf)
        a, b = np.unravel_index(np.argmin(apart), apart.shape)
        if apart[a, b] > SAME * state.temperature:
            break
        a, b = (a, b) if names[a] < names[b] else (b, a)
        U[a] = (p[a] * U[a] + p[b] * U[b]) / (p[a] + p[b])
        p[a] += p[b]
        names, splits = forget(names, splits, names[b])
        U, p, V = np.delete(U, b, 0), np.delete(p, b), np.delete(V, b, 0)
        names, critical = np.delete(names, b), np.delete(critical, b)
    return state._replace(clusters=Clusters(U, p), names=names, directions=V, critical=critical, splits=splits)


def forget(names: np.ndarray, splits: np.ndarray, leaf: int) -> tuple[np.ndarray, np.ndarray]:
    """The tree without a leaf: its sibling takes the place of their parent."""
    row = np.flatnonzero((splits[:, 3:] == leaf).any(axis=1))[0]
    parent, sibling = splits[row, 2], splits[row, 3:].sum() - leaf
    splits, names = np.delete(splits, row, 0), names.copy()
    splits[:, 2] = np.where(splits[:, 2] == sibling, parent, splits[:, 2])
    names[names == sibling] = parent
    return names, splits


def is_hard(cost: HasTransitions, state: State, entropy: float, schedule: Schedule) -> bool:
    """Whether assignments are hard, but for rows that are equally far from two clusters and stay so for ever."""
    apart = cost.separation(state.clusters.prototypes)
    np.fill_diagonal(apart, np.inf)
    return bool(entropy < schedule.hardness or state.temperature < COLD * apart.min())


def can_part(X: RowBlocks, cost: HasTransitions, state: State) -> bool:
    """Whether copies as far apart as a split makes them differ by more than rounding, for any cluster."""
    far, rounding, U = state.critical, IN_CLOSED_FORM * np.finfo(X.dtype).eps, state.clusters.prototypes
    if not has_closed_form(cost, X):  # far above a transition, trials do not see it
        far, rounding = np.maximum(far, state.temperature), BY_TRIAL * np.finfo(X.dtype).eps
    pair = [positions(cost, cost.perturbed(U, sign * state.directions, far)) for sign in (1, -1)]
    return bool((np.abs(pair[0] - pair[1]).max(axis=1) > rounding * np.abs(positions(cost, U)).max(axis=1)).any())


def measured(state: State, found: Equilibrium, done: bool) -> State:
    """Add what this temperature showed to the table."""
    row = (state.temperature, found.cost, found.entropy, found.free_energy, len(state.names), found.iteration)
    return state._replace(iteration=state.iteration + 1, done=done, table=np.vstack([state.table, row]))
