"""unmix.decomposition.PCA."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, k: int, seed: int, threads: int) -> np.ndarray:
    import unmix
    from unmix.decomposition import PCA

    with unmix.execution(threads=threads):
        return PCA(k, random_state=seed).fit(X).components_
