"""spams.trainDL with l0 codes: batches of 512, as many passes as the others make."""

import numpy as np

requires = ["spams"]


def solve(X: np.ndarray, k: int, s: int, iterations: int, seed: int, threads: int) -> np.ndarray:
    import spams

    rng = np.random.default_rng(seed)
    start = X[rng.choice(len(X), k, replace=False)]
    start = np.asfortranarray((start / np.linalg.norm(start, axis=1, keepdims=True)).T)
    steps = iterations * -(-len(X) // 512)
    D = spams.trainDL(
        np.asfortranarray(X.T), D=start, lambda1=s, iter=steps, mode=3, batchsize=512, numThreads=threads, verbose=False
    )
    return D.T
