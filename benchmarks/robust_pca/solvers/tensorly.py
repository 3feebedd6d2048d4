"""tensorly.decomposition.robust_pca, to the tolerance that takes it to an error of about 1e-6."""

import numpy as np

requires = ["tensorly"]


def solve(X: np.ndarray, L: np.ndarray, seed: int, threads: int) -> np.ndarray:
    from tensorly.decomposition import robust_pca

    # Its sparse term costs reg_E; both unfoldings of a matrix count, so the weight of pursuit is twice 1/√n.
    return robust_pca(X, reg_E=2 / np.sqrt(max(X.shape)), tol=5e-6, n_iter_max=1000, verbose=0)[0]
