"""Users with known roles, and noise: X = Z ⊗ U, entries replaced by random bits with a given probability."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class PlantedRoles(NamedTuple):
    """``X`` (n, d) with noise, ``clean`` without, ``roles`` (k, d) and ``assignments`` (n, k); all of 0 and 1."""

    X: np.ndarray
    clean: np.ndarray
    roles: np.ndarray
    assignments: np.ndarray


def planted_roles(
    n_users: int = 200,
    n_permissions: int = 60,
    n_roles: int = 5,
    *,
    max_roles_per_user: int = 3,
    density: float = 0.25,
    noise: float = 0.0,
    noise_granted: float = 0.5,
    random_state: int = 0,
) -> PlantedRoles:
    """A table of who has what, made by roles and noise.

    Every role grants each permission with probability ``density`` (and at least one), every user holds one to
    ``max_roles_per_user`` roles, each number and each set equally often. An entry is noise with probability ``noise``,
    and then 1 with probability ``noise_granted``, whatever the roles say.

    Examples
    --------
    >>> X, clean, roles, assignments = planted_roles(100, 30, 4, noise=0.2)
    >>> X.shape, roles.shape, assignments.shape
    ((100, 30), (4, 30), (100, 4))
    """
    rng = np.random.default_rng(random_state)
    roles = (rng.random((n_roles, n_permissions)) < density).astype(np.float64)
    empty = np.flatnonzero(roles.sum(axis=1) == 0)
    roles[empty, rng.integers(n_permissions, size=len(empty))] = 1.0
    sizes = rng.integers(1, min(max_roles_per_user, n_roles) + 1, size=n_users)
    ranks = rng.random((n_users, n_roles)).argsort(axis=1).argsort(axis=1)
    assignments = (ranks < sizes[:, None]).astype(np.float64)
    clean = (assignments @ roles > 0.5).astype(np.float64)
    noisy = rng.random(clean.shape) < noise
    X = np.where(noisy, rng.random(clean.shape) < noise_granted, clean).astype(np.float64)
    return PlantedRoles(X, clean, roles, assignments)
