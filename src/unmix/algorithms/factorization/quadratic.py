"""Vectors v that make  ½ v·G v - c·v + penalty(v)  small, for many vectors at once.

With one G for all, (1, k, k), or one each, (m, k, k).  No road ever raises the value of a vector:

- a constraint that knows its solution gives it (`Constraint.solve`);
- entries that may be anything, or pay a ridge: linear equations;
- other constraints on entries: coordinate descent, compiled, and active sets where the codes are all that is asked for;
- everything else: proximal steps  v ← prox(v - (G v - c) / L, 1 / L)  with L above the largest eigenvalue of G, with
  momentum where the constraint is convex.

Parikh & Boyd, Proximal Algorithms, 2014; Beck & Teboulle, SIAM J. Imaging Sciences 2, 2009.
"""

from __future__ import annotations

import numpy as np

from unmix.algorithms.factorization.active_entries import finish
from unmix.algorithms.factorization.limits import Limits, limits_of
from unmix.constraints.base import Constraint

SWEEPS, SHARE = 20, 1e-4  # most sweeps; a vector is done when a sweep gains less than this share of the first
PATIENT_SHARE = 1e-12  # where the codes are all that is asked for
PROXIMAL_STEPS = 20
NEGLIGIBLE = 1e-12  # eigenvalues below this share of the largest are none
JITTER = 1e-10  # of the diagonal: what nothing was observed of becomes 0


def improve(constraint: Constraint, gram: np.ndarray, cross: np.ndarray, V: np.ndarray, effort: int = 1) -> np.ndarray:
    """Vectors no worse than V; ``effort`` times the usual number of steps."""
    if V.shape[1] == 0 or len(V) == 0:
        return V
    exact = constraint.solve(gram, cross, V)
    if exact is not None:
        return exact.astype(V.dtype, copy=False)
    limits = limits_of(constraint, V.shape[1])
    if limits is not None:
        near = within(limits, gram, cross, V, effort)
        return near if effort == 1 or limits.linear else finish(limits, gram, cross, near)
    return proximal(constraint, gram, cross, V, PROXIMAL_STEPS * effort)


def within(limits: Limits, gram: np.ndarray, cross: np.ndarray, V: np.ndarray, effort: int = 1) -> np.ndarray:
    """For constraints on entries."""
    if limits.linear:
        return solved(gram, cross, limits.l2).astype(V.dtype, copy=False)
    if len(gram) == 1 and limits.non_negative:
        return swept(gram[0], cross, V, limits, effort)
    from unmix.algorithms.factorization.coordinate_kernel import descend

    out, own = V.astype(np.float64), int(len(gram) > 1)
    room = np.empty(V.shape[1])
    full = np.ascontiguousarray(gram, dtype=np.float64)
    descend(
        full, own, np.ascontiguousarray(cross, dtype=np.float64), out, *limits, SWEEPS * effort, share_of(effort), room
    )
    return out.astype(V.dtype, copy=False)


def share_of(effort: int) -> float:
    return SHARE if effort == 1 else PATIENT_SHARE


def solved(gram: np.ndarray, cross: np.ndarray, ridge: np.ndarray) -> np.ndarray:
    """(G + ridge)⁻¹ c, for each vector; the smallest one where the equations leave a choice."""
    k = cross.shape[1]
    full = np.array(gram, dtype=np.float64)
    full[:, np.arange(k), np.arange(k)] += ridge
    own = full[:, np.arange(k), np.arange(k)]
    if len(full) == 1:
        seen = own[0] > np.finfo(float).tiny / NEGLIGIBLE
        unit = 1 / np.sqrt(np.where(seen, own[0], 1.0))  # whatever unit an entry has
        scaled = np.where(np.outer(seen, seen), full[0] * np.outer(unit, unit), 0.0)
        return (cross * unit) @ np.linalg.pinv(scaled, rcond=NEGLIGIBLE, hermitian=True) * unit
    if not np.all(ridge > 0):  # a trifle decides where a row has fewer cells than there are components
        full[:, np.arange(k), np.arange(k)] += np.where(own > 0, JITTER * own, 1.0)
    return np.linalg.solve(full, cross[:, :, None].astype(np.float64))[:, :, 0]


def swept(gram: np.ndarray, cross: np.ndarray, V: np.ndarray, limits: Limits, effort: int) -> np.ndarray:
    """One matrix and entries from 0 up: the sweeps of non-negative factorizations, many rows side by side."""
    from unmix.algorithms.nonnegative.sweep import sweep

    dtype, out = V.dtype, np.ascontiguousarray(V).copy()
    full = (gram + np.diag(limits.l2)).astype(dtype)
    linear = np.ascontiguousarray((cross - limits.l1).astype(dtype))
    sweep(full, linear, out, SWEEPS * effort, share_of(effort), np.empty(len(out), dtype))
    return out


def proximal(constraint: Constraint, gram: np.ndarray, cross: np.ndarray, V: np.ndarray, steps: int) -> np.ndarray:
    """Proximal steps from V, with momentum where the constraint is convex; vectors that got worse stay as they were."""
    size = np.abs(gram).sum(axis=2).max(axis=1, keepdims=True)
    size = np.broadcast_to(np.where(size > 0, size, 1.0), (len(V), 1)).astype(V.dtype)
    old = new = ahead = V
    t = np.ones((len(V), 1), V.dtype)
    for _ in range(steps):
        new = constraint.prox(ahead - (product(gram, ahead) - cross) / size, 1 / size)
        if constraint.convex:
            # momentum that leads uphill is dropped (O'Donoghue & Candès, Found. Computational Mathematics 15, 2015)
            uphill = np.einsum("ij,ij->i", ahead - new, new - old) > 0
            t[uphill] = 1
            following = (1 + np.sqrt(1 + 4 * t * t)) / 2
            ahead, t = new + (t - 1) / following * (new - old), following
        else:
            ahead = new
        old = new
    better = cost(constraint, gram, cross, new) <= cost(constraint, gram, cross, V)
    return np.where(better[:, None], new, V)


def product(gram: np.ndarray, V: np.ndarray) -> np.ndarray:
    """G v of every vector."""
    if len(gram) == 1:
        return (V @ gram[0]).astype(V.dtype, copy=False)
    return np.matmul(gram, V[:, :, None])[:, :, 0].astype(V.dtype, copy=False)


def cost(constraint: Constraint, gram: np.ndarray, cross: np.ndarray, V: np.ndarray) -> np.ndarray:
    parts: np.ndarray = np.einsum("ij,ij->i", 0.5 * product(gram, V) - cross, V)
    return parts + constraint.penalty(V)
