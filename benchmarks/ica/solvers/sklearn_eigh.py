"""sklearn.decomposition.FastICA, whitening by the covariance matrix, which is the faster way for long tables."""

import numpy as np

requires = ["sklearn"]


def solve(X: np.ndarray, mixing: np.ndarray, seed: int, threads: int) -> np.ndarray:
    from sklearn.decomposition import FastICA

    return FastICA(whiten_solver="eigh", random_state=seed).fit(X).components_
