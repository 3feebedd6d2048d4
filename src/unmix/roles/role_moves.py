"""Moves between optima of the role model: drop the role that is missed least, and make one where data are misfit.

EM ends where two roles are the same while another stands for two; no small step leads away from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.roles.annealed_roles import Data, Fit, settle
from unmix.roles.mixture_noise import Parameters, chances, log_joint, respond

TRIAL_STEPS = 12
MOST_ROWS = 4096  # misfits are looked for among so many rows
DROPS, SPLITS = 2, 3  # roles tried in each place, a round


def cost_without(joint: np.ndarray, sets: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Minus the log-likelihood when nobody holds role k, for every k."""
    costs = [weights @ respond(joint[:, row == 0], 1.0)[1] for row in sets.T]
    return np.array(costs)


def residuals(data: Data, q: np.ndarray, sets: np.ndarray, parameters: Parameters) -> np.ndarray:
    expected = q @ chances(sets, parameters)[1]
    dense = data.rows.toarray() if hasattr(data.rows, "toarray") else data.rows
    return dense - expected


def leading(residual: np.ndarray, weights: np.ndarray) -> tuple[float, np.ndarray]:
    """Largest eigenvalue and eigenvector of the weighted second moments."""
    values, vectors = np.linalg.eigh(residual.T @ (residual * weights[:, None]))
    return float(values[-1]), vectors[:, -1]


def splits(residual: np.ndarray, holders: np.ndarray, absent: np.ndarray) -> list[tuple[float, int, np.ndarray]]:
    """For each role: how strongly its permissions fall into two camps, and the two roles made of them."""
    found = []
    for role, beta in enumerate(absent):
        granted = np.flatnonzero(beta < 0.5)
        if len(granted) < 2 or holders[:, role].sum() <= 1:
            continue
        value, vector = leading(residual[:, granted], holders[:, role])
        near = np.abs(vector) < 0.3 * np.abs(vector).max()
        pair = np.tile(np.maximum(beta, 0.5), (2, 1))
        pair[0, granted] = np.where((vector > 0) | near, 0.2, 0.8)
        pair[1, granted] = np.where((vector < 0) | near, 0.2, 0.8)
        found.append((value, role, pair))
    return sorted(found, key=lambda item: -item[0])[:SPLITS]


def proposals(data: Data, fit: Fit) -> list[Parameters]:
    """The least missed roles replaced: by the second half of a split role, or by what is left unexplained."""
    sets, parameters = fit.sets, fit.parameters
    every = -(-len(data.weights) // MOST_ROWS)
    data = Data(data.rows[::every], data.weights[::every])
    joint = log_joint(data.rows, sets, parameters)
    q, _ = respond(joint, 1.0)
    residual = residuals(data, q, sets, parameters)
    holders = (q @ sets) * data.weights[:, None]
    halves = splits(residual, holders, parameters.absent)
    _, vector = leading(residual, data.weights)
    vector = vector * np.sign(vector[np.abs(vector).argmax()])
    unexplained = np.where(vector > 0.4 * vector.max(), 0.2, 0.95)
    made = []
    for drop in np.argsort(cost_without(joint, sets, data.weights), kind="stable")[:DROPS]:
        for _, role, pair in halves:
            if role != drop:
                absent = parameters.absent.copy()
                absent[role], absent[drop] = pair
                made.append(absent)
        absent = parameters.absent.copy()
        absent[drop] = unexplained
        made.append(absent)
    flat = np.full(len(sets), -np.log(len(sets)))
    return [parameters._replace(absent=absent, log_prior=flat) for absent in made]


def improve(data: Data, fit: Fit, rounds: int, options: dict[str, Any]) -> Fit:
    """Repeat the first move that pays until none does."""
    if fit.sets.shape[1] < 2:
        return fit
    for _ in range(rounds):
        for proposal in proposals(data, fit):
            trial = settle(data, fit.sets, proposal, **{**options, "most": TRIAL_STEPS})
            if trial.cost < fit.cost - 1e-3 * data.weights.sum() ** 0.5 - 1e-9 * abs(fit.cost):
                fit = settle(data, fit.sets, trial.parameters, **options)
                break
        else:
            break
    return fit
