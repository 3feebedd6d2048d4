"""Metropolis-Hastings: 1000 chains by 1000 steps after 200 of burn-in; emcee's walkers for peer."""
