"""dwave.samplers.SimulatedAnnealingSampler, which uses one thread."""

from functools import cache
from typing import Any

import numpy as np
import scipy.sparse as sp

requires = ["dwave", "dimod"]
models: dict[int, Any] = {}


@cache
def sampler() -> Any:
    from dwave.samplers import SimulatedAnnealingSampler

    return SimulatedAnnealingSampler()


def model(J: Any) -> Any:
    """Its form of the model, made once: conversion is not what is measured."""
    import dimod

    if id(J) not in models:
        upper = sp.triu(sp.coo_array(J), 1).tocoo()
        pairs = (upper.row, upper.col, -upper.data)
        made = dimod.BinaryQuadraticModel.from_numpy_vectors(np.zeros(J.shape[0]), pairs, 0.0, "SPIN")
        models[id(J)] = J, made  # J is kept, so that no other gets its number
    return models[id(J)][1]


def solve(J: Any, runs: int, sweeps: int, seed: int, threads: int) -> np.ndarray:
    found = sampler().sample(model(J), num_reads=runs, num_sweeps=sweeps, seed=seed)
    best = found.record[np.argmin(found.record.energy)].sample
    spins = np.empty(J.shape[0])
    spins[np.asarray(found.variables)] = best
    return spins
