"""sklearn.decomposition.PCA by the eigenvectors of the covariance matrix."""

import numpy as np

requires = ["sklearn"]


def solve(X: np.ndarray, k: int, seed: int, threads: int) -> np.ndarray:
    from sklearn.decomposition import PCA

    return PCA(k, svd_solver="covariance_eigh").fit(X).components_
