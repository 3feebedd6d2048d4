"""Hamming K-means: one role a user, as few differing entries as possible, Boolean medians as centres."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.core.arguments import whole_number
from unmix.core.iteration.loop import iterate
from unmix.core.random import spawn
from unmix.roles.access.grants import Grants
from unmix.roles.classical.boolean_estimator import BooleanEstimator


class State(NamedTuple):
    centers: np.ndarray
    cost: float
    iteration: int
    done: bool


def distances(rows: Any, centers: np.ndarray) -> np.ndarray:
    """Numbers of differing entries: |x - u| = x + u - 2 x u for bits."""
    return np.asarray(rows.sum(axis=1)).reshape(-1, 1) + centers.sum(axis=1) - 2 * (rows @ centers.T)


def medians(rows: Any, weights: np.ndarray, labels: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """1 where more than half the weight of the cluster has the permission; an even split grants nothing."""
    one_hot = np.zeros((len(labels), len(centers)))
    one_hot[np.arange(len(labels)), labels] = weights
    mass = one_hot.sum(axis=0)
    share = (rows.T @ one_hot).T / np.where(mass > 0, mass, 1)[:, None]
    return np.where((mass > 0)[:, None], share > 0.5, centers > 0.5).astype(np.float64)


def start(rows: Any, weights: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """Rows drawn far apart: each with probability weight × distance to the nearest drawn before."""
    chosen: list[int] = []
    nearest = np.ones(rows.shape[0])
    for _ in range(min(k, rows.shape[0])):
        chance = weights * nearest
        if chance.sum() == 0:
            break
        chosen.append(int(rng.choice(len(chance), p=chance / chance.sum())))
        gap = distances(rows, dense(rows[[chosen[-1]]]))[:, 0]
        nearest = gap if len(chosen) == 1 else np.minimum(nearest, gap)
    return dense(rows[chosen])


def dense(rows: Any) -> np.ndarray:
    return rows.toarray() if hasattr(rows, "toarray") else np.array(rows)


class HammingKMeans(BooleanEstimator):
    """K-means in Hamming distance, with Boolean centres.

    Minimises ``Σ_i w_i |x_i - u_c(i)|`` over Boolean centres u, the roles, and labels c: one role a user.
    Rows go to the nearest centre and centres to the median of their rows, from starts drawn far apart; O(n k d) a step.

    Parameters
    ----------
    n_roles : int, default=4
        The number of roles, k.
    n_init : int, default=10
        Starts, of which the best is kept.
    max_iter : int, default=100
        Most steps of a start.
    threshold : float or None, default=None
        Entries above it are grants. None expects 0 and 1, and warns where other values are cut at one half.
    random_state : int, RandomState or None, default=None
        Decides the starts; an integer gives the same roles again.

    Attributes
    ----------
    roles_ : ndarray of shape (n_roles, d)
        Fewer than asked for where there are fewer distinct users.
    assignments_ : ndarray of shape (n, n_roles)
        One 1 a row.
    inertia_ : float
        The objective.
    n_iter_ : int
    n_features_in_ : int

    References
    ----------
    Huang, Extensions to the k-means algorithm for clustering large data sets with categorical values, Data Mining and
    Knowledge Discovery 2 (1998), of which this is the case of two categories.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.roles import HammingKMeans
    >>> X = [[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 1], [0, 0, 1, 1], [0, 0, 1, 1]]
    >>> HammingKMeans(2, random_state=0).fit(X).roles_.astype(int)
    array([[1, 1, 0, 0],
           [0, 0, 1, 1]])
    """

    def __init__(self, n_roles=4, *, n_init=10, max_iter=100, threshold=None, random_state=None):
        self.n_roles = n_roles
        self.n_init = n_init
        self.max_iter = max_iter
        self.threshold = threshold
        self.random_state = random_state

    def _learn(self, grants: Grants, seed: int) -> np.ndarray:
        rows, weights = grants.counted

        def advance(state: State) -> tuple[State, dict[str, float]]:
            apart = distances(rows, state.centers)
            labels = apart.argmin(axis=1)
            cost = float(weights @ apart[np.arange(len(labels)), labels])
            centers = medians(rows, weights, labels, state.centers)
            done = cost >= state.cost
            return State(state.centers if done else centers, cost, state.iteration + 1, done), {"cost": cost}

        runs = []
        for index in range(self.n_init):
            centers = start(rows, weights, self.n_roles, spawn(seed, index))
            runs.append(iterate(advance, State(centers, np.inf, 0, False), max_iter=self.max_iter, name="k-means"))
        best = min(runs, key=lambda run: run.cost)
        self.inertia_, self.n_iter_ = best.cost, best.iteration
        labels = distances(rows, best.centers).argmin(axis=1)
        mass = np.bincount(labels, weights=weights, minlength=len(best.centers))
        return best.centers[np.argsort(-mass, kind="stable")]

    def _assign(self, rows: Any) -> np.ndarray:
        return np.eye(len(self.roles_))[distances(rows, self.roles_.astype(np.float64)).argmin(axis=1)]

    def _complete(self, rows: Any, shown: np.ndarray) -> np.ndarray:
        roles = self.roles_.astype(np.float64)
        return roles[(distances(rows * shown, roles * shown)).argmin(axis=1)]

    def _check_parameters(self) -> None:
        super()._check_parameters()
        whole_number("n_init", self.n_init, 1)
        whole_number("max_iter", self.max_iter, 1)
