"""sklearn.decomposition.FastICA with its defaults."""

import numpy as np

requires = ["sklearn"]


def solve(X: np.ndarray, mixing: np.ndarray, seed: int, threads: int) -> np.ndarray:
    from sklearn.decomposition import FastICA

    return FastICA(random_state=seed).fit(X).components_
