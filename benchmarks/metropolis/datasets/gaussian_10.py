"""A correlated Gaussian in ten dimensions, 1000 chains begun from a round one."""

import numpy as np


def load(quick: bool) -> dict:
    rng, d = np.random.default_rng(11), 10
    mixing = rng.normal(size=(d, d))
    start = rng.normal(size=(100 if quick else 1000, d))
    return {"covariance": mixing @ mixing.T / d + 0.1 * np.eye(d), "start": start, "burn_in": 200, "steps": 1000}
