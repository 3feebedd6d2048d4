"""unmix.cluster.IsingModel.ground_state."""

from typing import Any

import numpy as np

requires = ["unmix"]


def solve(J: Any, runs: int, sweeps: int, seed: int, threads: int) -> np.ndarray:
    import unmix
    from unmix.cluster import IsingModel

    with unmix.execution(threads=threads):
        return IsingModel(J).ground_state(n_init=runs, n_sweeps=sweeps, random_state=seed).spins
