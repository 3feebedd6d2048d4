"""Moves between optima of the role model: drop the role that is missed least, and make one where data are misfit.

EM ends where two roles are the same while another stands for two; no small step leads away from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse.linalg import LinearOperator, eigsh

from unmix.roles.noise.annealed_roles import Data, Fit, em_at_temperature
from unmix.roles.noise.mixture_noise import Parameters, chances, log_joint, respond

TRIAL_STEPS = 12
MOST_ROWS = 4096  # misfits are looked for among so many rows
HALF = 0.5
FEW_COLUMNS = 400  # up to here all eigenvectors are as quick as one
EIGEN_TOLERANCE = 1e-6  # only signs and sizes of entries are asked for
DROPS, SPLITS = 2, 3  # roles tried in each place, a round


def cost_without(joint: np.ndarray, sets: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Minus the log-likelihood when nobody holds role k, for every k.

    A user loses -log(1 - share) by role k, where share is the probability of the sets that hold it. Near 1 that
    difference is lost, and what is left is summed anew: only for the few roles that a user is likely to hold.
    """
    q, free = respond(joint, 1.0)
    share = q @ sets
    costs = weights @ (free[:, None] - np.log1p(-np.minimum(share, HALF)))
    for k, row in enumerate(sets.T):
        sure = np.flatnonzero(share[:, k] > HALF)
        left = joint[np.ix_(sure, np.flatnonzero(row == 0))]
        costs[k] += weights[sure] @ (respond(left, 1.0)[1] - free[sure] + np.log1p(-HALF))
    return costs


def residuals(data: Data, q: np.ndarray, sets: np.ndarray, parameters: Parameters) -> np.ndarray:
    expected = q @ chances(sets, parameters)[1]
    dense = data.rows.toarray() if hasattr(data.rows, "toarray") else data.rows
    return dense - expected


def leading(residual: np.ndarray, weights: np.ndarray) -> tuple[float, np.ndarray]:
    """Largest eigenvalue and eigenvector of the weighted second moments; where they are many, by Lanczos steps."""
    if residual.shape[1] <= FEW_COLUMNS:
        values, vectors = np.linalg.eigh(residual.T @ (residual * weights[:, None]))
        return float(values[-1]), vectors[:, -1]
    held = weights > 0
    scaled = residual[held] * np.sqrt(weights[held])[:, None]
    if not scaled.any():
        return 0.0, np.full(residual.shape[1], residual.shape[1] ** -0.5)
    first = scaled[np.einsum("ij,ij->i", scaled, scaled).argmax()]
    moments = LinearOperator((scaled.shape[1],) * 2, matvec=lambda v: scaled.T @ (scaled @ v), dtype=np.float64)
    values, vectors = eigsh(moments, k=1, v0=first, tol=EIGEN_TOLERANCE)
    return float(values[0]), vectors[:, 0]


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
            trial = em_at_temperature(data, fit.sets, proposal, **{**options, "most": TRIAL_STEPS})
            if trial.cost < fit.cost - 1e-3 * data.weights.sum() ** 0.5 - 1e-9 * abs(fit.cost):
                fit = em_at_temperature(data, fit.sets, trial.parameters, **options)
                break
        else:
            break
    return fit
