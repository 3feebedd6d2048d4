"""Chance: expectations from draws, draws from densities, chains, what they converge to, and how fast."""

from unmix.inference.convergence import effective_sample_size, r_hat
from unmix.sampling.chains import Chains
from unmix.sampling.importance import importance
from unmix.sampling.markov_chain import MarkovChain
from unmix.sampling.metropolis_hastings import metropolis_hastings
from unmix.sampling.monte_carlo import monte_carlo
from unmix.sampling.pareto_tail import pareto_k
from unmix.sampling.random_walk import RandomWalk
from unmix.sampling.rejection import rejection

__all__ = [
    "Chains",
    "MarkovChain",
    "RandomWalk",
    "effective_sample_size",
    "importance",
    "metropolis_hastings",
    "monte_carlo",
    "pareto_k",
    "r_hat",
    "rejection",
]
