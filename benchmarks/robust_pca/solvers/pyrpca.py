"""pyrpca.rpca_pcp_ialm, to the tolerance that takes it to an error of 1e-6."""

import numpy as np

requires = ["pyrpca"]


def solve(X: np.ndarray, L: np.ndarray, seed: int, threads: int) -> np.ndarray:
    from pyrpca import rpca_pcp_ialm

    return rpca_pcp_ialm(X, 1 / np.sqrt(max(X.shape)), tol=5e-8, verbose=False)[0]
