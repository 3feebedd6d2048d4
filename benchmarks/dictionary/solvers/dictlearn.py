"""dictlearn.DictionaryLearning, approximate K-SVD."""

import numpy as np

requires = ["dictlearn"]


def solve(X: np.ndarray, k: int, s: int, iterations: int, seed: int, threads: int) -> np.ndarray:
    from dictlearn import DictionaryLearning

    return DictionaryLearning(k, n_nonzero_coefs=s, max_iter=iterations, random_state=seed).fit(X).components_
