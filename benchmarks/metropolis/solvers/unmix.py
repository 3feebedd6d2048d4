"""unmix.sampling.metropolis_hastings, a random walk fitted during the burn-in."""

import numpy as np

from benchmarks.metropolis.target import log_density

requires = ["unmix"]


def solve(covariance: np.ndarray, start: np.ndarray, burn_in: int, steps: int, seed: int, threads: int) -> np.ndarray:
    from unmix.sampling import metropolis_hastings

    log_p = log_density(covariance)
    return metropolis_hastings(log_p, start=start, n_steps=steps, burn_in=burn_in, random_state=seed).samples
