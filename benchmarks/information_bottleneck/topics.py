"""Counts of objects that follow one of some topics, and something of their own."""

from typing import Any

import numpy as np


def topics(n: int, d: int, k: int, total: int, seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    centres = rng.dirichlet(np.full(d, 0.3), k)
    laws = 0.7 * centres[rng.integers(0, k, n)] + 0.3 * rng.dirichlet(np.ones(d), n)
    counts = np.array([rng.multinomial(total, law) for law in laws], dtype=np.float64)
    return {"counts": counts, "betas": np.linspace(1.0, 20.0, 30)}
