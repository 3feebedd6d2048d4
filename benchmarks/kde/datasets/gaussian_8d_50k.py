"""one Gaussian, 50k × 8, 5k queries, width by Scott's rule: nearly every pair counts."""

import numpy as np


def load(quick: bool) -> dict:
    rng = np.random.default_rng(0)
    n, m = (5_000, 500) if quick else (50_000, 5_000)
    return {"X": rng.normal(size=(n, 8)), "queries": rng.normal(size=(m, 8)), "bandwidth": n ** (-1 / 12)}
