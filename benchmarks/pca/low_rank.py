"""A spectrum that decays over noise, in randomly turned axes."""

import numpy as np


def low_rank(n: int, d: int, rank: int, seed: int) -> np.ndarray:
    """Rows z V + noise, standard deviations of z falling as 1/√r from 10."""
    rng = np.random.default_rng(seed)
    turned = np.linalg.qr(rng.standard_normal((d, rank)))[0].T.astype(np.float32)
    scales = (10 / np.sqrt(np.arange(1, rank + 1))).astype(np.float32)
    X = rng.standard_normal((n, d), dtype=np.float32)
    X += (rng.standard_normal((n, rank), dtype=np.float32) * scales) @ turned
    return X
