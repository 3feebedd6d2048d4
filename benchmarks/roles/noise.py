"""Role recovery and generalization against noise, for every method on the same planted tables."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from unmix.datasets import planted_roles
from unmix.roles import (
    DiscreteBasis,
    FastMiner,
    HammingKMeans,
    MultiAssignmentClustering,
    RoundedSVD,
    SingleAssignmentClustering,
    SVDDenoiser,
    deviation,
    generalization,
    role_distance,
)

USERS, NEW_USERS, PERMISSIONS, ROLES = 200, 200, 60, 8
NOISE = (0.0, 0.1, 0.2, 0.3, 0.4)
FIRST_SEED = 4000  # tables that nothing in the library was chosen on

METHODS = {
    "multi-assignment clustering": lambda seed: MultiAssignmentClustering(ROLES, random_state=seed),
    "single-assignment clustering": lambda seed: SingleAssignmentClustering(ROLES, random_state=seed),
    "discrete basis, refitted": lambda seed: DiscreteBasis(ROLES),
    "discrete basis, as published": lambda seed: DiscreteBasis(ROLES, refit=0),
    "FastMiner, cover": lambda seed: FastMiner(ROLES, rank="cover"),
    "Hamming K-means": lambda seed: HammingKMeans(ROLES, random_state=seed),
    "rounded SVD": lambda seed: RoundedSVD(ROLES),
    "SVD denoising": lambda seed: SVDDenoiser(random_state=seed),
}


class Result(NamedTuple):
    """``roles`` is the distance to the true roles, ``error`` to the noise-free table, ``unseen`` G on new users."""

    roles: float
    error: float
    unseen: float


def measure(make: Any, noise: float, seed: int) -> Result:
    """One fit; new users come from the same roles and the same noise, and are compared with what they should have."""
    table = planted_roles(USERS + NEW_USERS, PERMISSIONS, ROLES, noise=noise, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = make(seed).fit(table.X[:USERS])
    error = deviation(table.clean[:USERS], model.inverse_transform(model.assignments_))
    new = table.X[USERS:]
    unseen = generalization(model, new, truth=table.clean[USERS:], random_state=seed).error
    return Result(role_distance(table.roles, model.roles_) if model.n_roles_ <= ROLES else np.nan, error, unseen)


def sweep(seeds: int, only: str = "") -> dict[str, np.ndarray]:
    """Results (noise, seeds, 3) by method."""
    tables = range(FIRST_SEED, FIRST_SEED + seeds)
    return {
        name: np.array([[measure(make, noise, seed) for seed in tables] for noise in NOISE])
        for name, make in METHODS.items()
        if only in name
    }
