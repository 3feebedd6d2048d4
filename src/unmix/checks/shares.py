"""Whether the shares of a mean field are where they belong, all the way from high temperature to low.

    q_ic ∝ exp(-h_ic / T),   h the fields of the shares themselves, the distances to their prototypes, or their vectors

Equal shares solve this at every temperature and are the answer at high ones only. So far down the shares are also
moved a little and followed, object by object, to where <R> - T H is least nearby: much lower it must not be.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.checks.evidence import require
from unmix.checks.exact_law import ExactLaw
from unmix.costs.base import HasFields, HasMoves, HasPrototypes, HasVectors, first_prototypes
from unmix.inference.mean_field import entropy, normalised, softmax

VISITS, LAST_VISITS = 4, 40  # at a temperature; clusters that are alike part slowly
TOLERANCE = 0.05  # of a share from its law
MEAN_TOLERANCE = 0.02  # of a mean cost, over the range of costs
LOWER = 0.5  # of what equal shares could gain at the lowest temperature; so much may be left
PERTURBATION = 2e-3
SWEEPS = 30


def check_cooling(step: Any, cost: Any, data: Any, law: ExactLaw, temperatures: list[float], seed: int) -> None:
    hot, cold = law.temperature_of(0.97), law.temperature_of(0.05)
    path = np.sort([*np.geomspace(hot, cold, 8), *temperatures])[::-1]
    rng = np.random.default_rng(seed)
    state = step.begin(cost, data, law.k, rng)
    for T in map(float, path):
        for _ in range(LAST_VISITS if path[-1] == T else VISITS):
            state, visit = step.visit(cost, data, state, T, rng)
        q = step.shares(state)
        _check_claims(type(step).__name__, visit, q, law, T)
        _check_mean(step, cost, data, visit, q, T, law)
        _check_law(step, cost, data, q, T, law)
    _check_depth(step, cost, data, q, float(path[-1]), law, seed)


def _check_claims(name: str, visit: Any, q: np.ndarray, law: ExactLaw, T: float) -> None:
    size = law.n * np.log(law.k)
    words = f"{name}.visit tells an entropy of {visit.entropy:.6g}, that of its shares is {entropy(q):.6g}"
    require(abs(visit.entropy - entropy(q)) <= 1e-6 * size + 1e-9, words)
    claimed, true = visit.cost - T * visit.entropy, law.free_energy(T)
    words = f"{name} claims less than the free energy at temperature {T:.3g}: {claimed:.6g}, exact is {true:.6g}"
    if np.isnan(claimed):
        return  # nothing is claimed, as beside a temperature at which clusters part
    require(not visit.bound or claimed >= true - 1e-8 * max(abs(true), float(np.abs(law.costs).max())), words)


def _check_mean(step: Any, cost: Any, data: Any, visit: Any, q: np.ndarray, T: float, law: ExactLaw) -> None:
    """The mean cost of the shares, in the step's own approximation; a saddle point knows more than its shares."""
    kinds = step.requires if isinstance(step.requires, tuple) else (step.requires,)
    if HasVectors in kinds or np.isnan(visit.cost):
        return
    true, spread = own_mean(step, cost, data, q, law), float(np.ptp(law.costs))
    words = f"{type(step).__name__}.visit at temperature {T:.3g} tells a mean cost of {visit.cost:.6g}"
    require(abs(visit.cost - true) <= MEAN_TOLERANCE * spread, f"{words}, that of its shares is {true:.6g}")


def _check_law(step: Any, cost: Any, data: Any, q: np.ndarray, T: float, law: ExactLaw) -> None:
    away = float(np.abs(gibbs_shares(step, cost, data, q, T, law) - q).max())
    require(
        away <= TOLERANCE,
        f"shares of {type(step).__name__} at temperature {T:.3g} are up to {away:.2g} away from exp(-h/T) of their own "
        "fields: look at the temperature, the sign, and whether a visit goes on until shares rest",
    )


def gibbs_shares(step: Any, cost: Any, data: Any, q: np.ndarray, T: float, law: ExactLaw) -> np.ndarray:
    """exp(-h/T), normalised, with h by the capability that the step requires."""
    kinds = step.requires if isinstance(step.requires, tuple) else (step.requires,)
    if HasPrototypes in kinds and isinstance(cost, HasPrototypes):
        return softmax(np.asarray(cost.distances(data, prototypes_of(cost, data, q)), np.float64), 1 / T)
    if HasVectors in kinds:
        X = cost.vectors(data)
        return softmax(-(X @ (X.T @ q)), 1 / T)
    if isinstance(cost, HasFields):
        return softmax(cost.fields(data, q), 1 / T)
    if isinstance(cost, HasMoves):
        return softmax(_prices(cost, data, q), 1 / T)
    return softmax(np.array([law.conditional_means(q, i) for i in range(law.n)]), 1 / T)


def _prices(cost: Any, data: Any, q: np.ndarray) -> np.ndarray:
    from unmix.costs.moves import move_costs

    state, h = cost.state(data, q.copy()), np.empty(q.shape)
    for i, share in enumerate(q):
        move_costs(state, i, share.copy(), h[i])
    return h


def _check_depth(step: Any, cost: Any, data: Any, q: np.ndarray, T: float, law: ExactLaw, seed: int) -> None:
    """How much lower <R> - T H is, in the step's own approximation, after following it object by object from nearby."""
    near = normalised(q + PERTURBATION * np.random.default_rng(seed).random(q.shape))
    for _ in range(SWEEPS):
        for i in range(law.n):
            near[i] = gibbs_shares(step, cost, data, near, T, law)[i]
    equal = np.full_like(q, 1 / law.k)
    bound, least, most = (own_mean(step, cost, data, p, law) - T * entropy(p) for p in (q, near, equal))
    require(
        bound - least <= LOWER * max(most - least, 0.0) + 0.25 * T * law.n * np.log(law.k),
        f"{type(step).__name__} at temperature {T:.3g} stays at <R> - T H = {bound:.6g} where {least:.6g} is near: "
        "clusters that are alike must be moved apart, or the temperature is not heeded",
    )


def own_mean(step: Any, cost: Any, data: Any, q: np.ndarray, law: ExactLaw) -> float:
    """<R> in the approximation of which `gibbs_shares` is the minimum."""
    kinds = step.requires if isinstance(step.requires, tuple) else (step.requires,)
    if HasPrototypes in kinds and isinstance(cost, HasPrototypes):
        h = cost.distances(data, prototypes_of(cost, data, q))
        return float(np.where(q > 0, q * np.where(q > 0, h, 0.0), 0.0).sum())
    if HasVectors in kinds:
        return -0.5 * float(((q.T @ cost.vectors(data)) ** 2).sum())
    if isinstance(cost, HasFields):
        return float(cost.expected(data, q))
    return law.mean_under(q)


def prototypes_of(cost: Any, data: Any, q: np.ndarray) -> Any:
    U = first_prototypes(cost, data, q.shape[1])
    for _ in range(2):  # statistics may be taken about the prototypes before
        U = cost.prototypes(cost.statistics(data, q, U), U)
    return U
