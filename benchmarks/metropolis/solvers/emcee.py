"""emcee.EnsembleSampler with its stretch move, the density of all walkers in one call."""

import numpy as np

from benchmarks.metropolis.target import log_density

requires = ["emcee"]


def solve(covariance: np.ndarray, start: np.ndarray, burn_in: int, steps: int, seed: int, threads: int) -> np.ndarray:
    import emcee

    sampler = emcee.EnsembleSampler(*start.shape, log_density(covariance), vectorize=True)
    state = np.random.RandomState(seed).get_state()  # the generator emcee draws from
    sampler.run_mcmc(emcee.State(start, random_state=state), burn_in + steps)
    return sampler.get_chain(discard=burn_in)
