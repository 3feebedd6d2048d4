"""Chance on finite sets: chains, what they converge to, and how fast."""

from unmix.sampling.markov_chain import MarkovChain

__all__ = ["MarkovChain"]
