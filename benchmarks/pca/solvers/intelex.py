"""sklearnex.decomposition.PCA, scikit-learn's API over oneDAL."""

import numpy as np

requires = ["sklearnex"]


def solve(X: np.ndarray, k: int, seed: int, threads: int) -> np.ndarray:
    from daal4py import daalinit
    from sklearnex.decomposition import PCA

    daalinit(threads)
    return PCA(k, svd_solver="covariance_eigh").fit(X).components_
