"""Signals of a random dictionary with a little noise."""

import numpy as np


def signals(n: int, d: int, k: int, s: int, dtype: type, seed: int = 0) -> dict:
    rng = np.random.default_rng(seed)
    U = rng.normal(size=(k, d))
    U /= np.linalg.norm(U, axis=1, keepdims=True)
    chosen = np.argsort(rng.random((n, k)), axis=1)[:, :s]
    X = np.einsum("ns,nsd->nd", rng.normal(size=(n, s)), U[chosen]) + 0.05 * rng.normal(size=(n, d))
    return {"X": X.astype(dtype), "U": U.astype(dtype), "s": s}
