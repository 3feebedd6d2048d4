"""The setting of Candès et al. 2011: a product of Gaussians of variance 1/n, and ±1 on random entries."""

import numpy as np


def planted(n: int, corrupted: float, seed: int) -> dict:
    rng = np.random.default_rng(seed)
    rank = n // 20
    L = rng.standard_normal((n, rank)) @ rng.standard_normal((rank, n)) / n
    S = np.where(rng.random((n, n)) < corrupted, rng.choice([-1.0, 1.0], (n, n)), 0.0)
    return {"X": L + S, "L": L}
