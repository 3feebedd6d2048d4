"""Ising models: simulated annealing, 20 runs of 1000 sweeps, by the solver's own schedule."""
