"""unmix.decomposition.DictionaryLearning, 12 iterations."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, k: int, s: int, iterations: int, seed: int, threads: int) -> np.ndarray:
    import unmix
    from unmix.decomposition import DictionaryLearning

    model = DictionaryLearning(
        k, fit_algorithm="ksvd", transform_n_nonzero_coefs=s, max_iter=12, tol=0, random_state=seed
    )
    with unmix.execution(threads=threads):
        return model.fit(X).components_
