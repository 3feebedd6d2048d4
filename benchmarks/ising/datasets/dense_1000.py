"""1000 spins, every pair coupled by a normal number of variance 1/n."""

import numpy as np


def load(quick: bool) -> dict:
    n = 200 if quick else 1000
    half = np.triu(np.random.default_rng(301).normal(size=(n, n)), 1)
    return {"J": (half + half.T) / np.sqrt(n), "runs": 20, "sweeps": 1000}
