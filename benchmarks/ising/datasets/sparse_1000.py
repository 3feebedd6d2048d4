"""1000 spins with three neighbours each, couplings of -1 and +1."""

import numpy as np
import scipy.sparse as sp


def load(quick: bool) -> dict:
    n, rng = 200 if quick else 1000, np.random.default_rng(301)
    while True:  # pair up three stubs a spin until no pair is a loop or comes twice
        i, j = np.sort(rng.permutation(np.repeat(np.arange(n), 3)).reshape(-1, 2), axis=1).T
        if (i != j).all() and len(np.unique(i * n + j)) == len(i):
            break
    half = sp.coo_array((rng.choice([-1.0, 1.0], len(i)), (i, j)), shape=(n, n)).tocsr()
    return {"J": sp.csr_array(half + half.T), "runs": 20, "sweeps": 1000}
