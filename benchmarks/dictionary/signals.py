"""Signals of few atoms of a random dictionary."""

import numpy as np

ITERATIONS = 20


def signals(noise: float, quick: bool) -> dict:
    rng = np.random.default_rng(0)
    n, d, k, s = 1500 if quick else 5000, 64, 128, 5
    U = rng.normal(size=(k, d))
    U /= np.linalg.norm(U, axis=1, keepdims=True)
    chosen = np.argsort(rng.random((n, k)), axis=1)[:, :s]
    X = np.einsum("ns,nsd->nd", rng.normal(size=(n, s)), U[chosen])
    return {"X": X + noise * rng.normal(size=(n, d)), "k": k, "s": s, "iterations": ITERATIONS}
