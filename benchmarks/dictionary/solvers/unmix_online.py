"""unmix.decomposition.MiniBatchDictionaryLearning."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, k: int, s: int, iterations: int, seed: int, threads: int) -> np.ndarray:
    import unmix
    from unmix.decomposition import MiniBatchDictionaryLearning

    model = MiniBatchDictionaryLearning(
        k,
        fit_algorithm="omp",
        transform_n_nonzero_coefs=s,
        batch_size=512,
        max_iter=iterations,
        tol=0,
        max_no_improvement=None,
        random_state=seed,
    )
    with unmix.execution(threads=threads):
        return model.fit(X).components_
