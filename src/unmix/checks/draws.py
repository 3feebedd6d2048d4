"""Whether what a step samples has the means of the Gibbs distribution.

Means over several chains are compared with enumeration in units of their standard error, which the effective sample
size gives: dependent draws count for less. A hundredth of the spread of the exact distribution is let pass. Chains that
hardly move where labels are nearly free are a fault; lower down they are no evidence either way, and since a chain may
stay on one of several sides there, labels are compared at the higher temperature only. Means that are doubtful are
judged by many more draws.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from unmix.checks.evidence import require, require_close
from unmix.checks.exact_law import ExactLaw
from unmix.inference.convergence import effective_sample_size

CHAINS = 4
SWEEPS, LEAST_VISITS, MOST_VISITS = 400, 30, 150  # of a chain
MOST_DRAWS = 1000  # of a walk
FEW_VISITS = 40  # where a difference is a large one
SURE, SLACK = 6.0, 0.01
DOUBT, MORE = 3.0, 8  # standard errors from which on so many times more draws are made before they are judged
LEAST_EFFECTIVE_DRAWS = 20  # draws that all chains together are worth
LEAST_VARIANCE = 0.05  # the exact variance of a pair, or label, that has to be seen both ways


def check_visits(
    step: Any, cost: Any, data: Any, law: ExactLaw, T: float, seed: int, free: bool, most: int = MOST_VISITS
) -> None:
    """Mean costs as visits tell them, and the labels of the states, where these have any; doubts are followed up."""
    words = f"{type(step).__name__}.visit"
    costs, labels = _visits(step, cost, data, law, T, seed, most)
    if _doubtful(costs, labels, law, T):
        costs, labels = _visits(step, cost, data, law, T, seed, MORE * most)
    _compare_costs(words, costs, law, T, free)
    if free and labels is not None:
        _compare_labels(words, labels, law, T)


def _visits(
    step: Any, cost: Any, data: Any, law: ExactLaw, T: float, seed: int, most: int
) -> tuple[np.ndarray, np.ndarray | None]:
    """(chains, visits) costs, and (chains, visits, n) labels, after a fourth as many visits that do not count."""
    costs, labels = [], []
    for chain in range(CHAINS):
        rng = np.random.default_rng([seed, chain])
        state = step.begin(cost, data, law.k, rng)
        state, visit = step.visit(cost, data, state, T, rng)
        count = int(np.clip(SWEEPS * most // MOST_VISITS // max(visit.sweeps, 1), LEAST_VISITS, most))
        visited, met = [], []
        for _ in range(count + count // 4):
            state, visit = step.visit(cost, data, state, T, rng)
            visited.append(visit.cost)
            met.append(getattr(state, "labels", None))
        costs.append(visited[-count:])
        labels.append(met[-count:])
    known = all(np.shape(row) == (law.n,) for chain in labels for row in chain)
    return np.array(costs), np.array(labels) if known else None


def _doubtful(costs: np.ndarray, labels: np.ndarray | None, law: ExactLaw, T: float) -> bool:
    """Whether a mean is so far from the exact one that more draws should decide."""
    p = law.probabilities(T)
    seen = [costs[:, :, None]] if labels is None else [costs[:, :, None], np.stack([law.features(c) for c in labels])]
    exact = [law.costs[:, None]] if labels is None else [law.costs[:, None], law.features(law.labellings)]
    for found, values in zip(seen, exact, strict=True):
        if not np.isfinite(found).all():
            return False  # reported as it is
        away = np.abs(found.mean(axis=(0, 1)) - p @ values)
        size = np.clip(np.nan_to_num(effective_sample_size(found), nan=1.0), 1, found.shape[0] * found.shape[1])
        if (away > DOUBT * np.sqrt(_variance(p, values) / size) + 1e-9 * np.abs(values).max()).any():
            return True
    return False


def _variance(p: np.ndarray, values: np.ndarray) -> np.ndarray:
    return np.asarray(p @ (values - p @ values) ** 2)


def check_walk(step: Any, cost: Any, data: Any, law: ExactLaw, T: float, seed: int, free: bool) -> None:
    """Every labelling that a walk meets, and that the cost it tells is right."""
    draws = min(int(step.draws), MOST_DRAWS)
    costs, labels = np.empty((CHAINS, draws)), np.empty((CHAINS, draws, law.n), np.int64)
    for chain in range(CHAINS):
        rng = np.random.default_rng([seed, 1, chain])
        now = rng.integers(0, law.k, law.n).astype(np.int64)
        walk = step.walk(cost, data, now, T, rng, law.k)
        for t, seen in enumerate(islice(walk, draws // 4, draws // 4 + draws)):
            costs[chain, t], labels[chain, t] = seen.cost, seen.labels
        true, size = cost.total(data, labels[chain, -1]), float(np.abs(law.costs).max())
        require_close(
            costs[chain, -1], true, f"{type(step).__name__}.walk tells a cost that is not of its labels", size
        )
    words = f"{type(step).__name__}.walk"
    _compare_costs(words, costs, law, T, free)
    if free:
        _compare_labels(words, labels, law, T)


def _compare_costs(words: str, costs: np.ndarray, law: ExactLaw, T: float, free: bool) -> None:
    p = law.probabilities(T)
    true = float(p @ law.costs)
    spread = float(np.sqrt(p @ (law.costs - true) ** 2))
    require(np.isfinite(costs).all(), f"{words} tells costs that are NaN or infinite")
    if spread <= 1e-9 * float(np.abs(law.costs).max()):
        return
    found, size = float(costs.mean()), float(effective_sample_size(costs[:, :, None])[0])
    stuck = np.ptp(costs) == 0 or not size >= LEAST_EFFECTIVE_DRAWS
    if stuck and not free:
        return
    require(
        not stuck,
        f"{words} hardly moves at temperature {T:.3g}, where labels are nearly free: its draws are worth {size:.3g} "
        f"independent ones, with a mean cost of {found:.6g} where the exact one is {true:.6g}; does it use the "
        "temperature, and move every object?",
    )
    error = max(float(costs.std()), spread / np.sqrt(costs.size)) / np.sqrt(min(size, costs.size))
    require(
        abs(found - true) <= SURE * error + SLACK * spread,
        f"{words} at temperature {T:.3g} has a mean cost of {found:.6g} ± {error:.2g}, exact is {true:.6g}: it does "
        "not follow exp(-R/T); look at the temperature, the sign of moves and the rule of acceptance",
    )


def _compare_labels(words: str, labels: np.ndarray, law: ExactLaw, T: float) -> None:
    p = law.probabilities(T)
    true = p @ law.features(law.labellings)
    seen = np.stack([law.features(chain) for chain in labels])
    found = seen.mean(axis=(0, 1))
    size = np.nan_to_num(effective_sample_size(seen), nan=0.0)
    variance = _variance(p, law.features(law.labellings))
    stuck = (variance > LEAST_VARIANCE) & (size < LEAST_EFFECTIVE_DRAWS / 4)
    one, other = np.triu_indices(law.n, 1) if law.alike else (np.tile(np.arange(law.n), law.k - 1),) * 2
    held = stuck[: len(one)]
    names = sorted({int(i) for i in np.append(one[held], other[held])})
    require(not stuck.any(), f"{words} at temperature {T:.3g} hardly moves objects {names}: every object must be moved")
    error = np.sqrt(variance / np.clip(size, 1, seen.shape[0] * seen.shape[1]))
    worst = int(np.argmax(np.abs(found - true) - SURE * error))
    what = "pairs share a cluster" if law.alike else "objects have a label"
    require(
        abs(found - true)[worst] <= SURE * error[worst] + SLACK,
        f"{words} at temperature {T:.3g}: {what} with frequency {found[worst]:.4g} ± {error[worst]:.2g} where the "
        f"Gibbs distribution has {true[worst]:.4g}; look at detailed balance and at what is proposed",
    )
