"""Gaussian blobs around random centres, the data most of the benchmarks draw from."""

from typing import Any

import numpy as np


def gaussian_blobs(n: int, d: int, k: int, *, spread: float, seed: int, dtype: Any = np.float32) -> np.ndarray:
    """Rows around k centres drawn from N(0, spread² I), unit noise, cluster sizes from a flat Dirichlet."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(scale=spread, size=(k, d)).astype(dtype)
    labels = rng.choice(k, size=n, p=rng.dirichlet(np.full(k, 5.0)))
    X = rng.standard_normal((n, d), dtype=dtype)
    X += centres[labels]
    return X
