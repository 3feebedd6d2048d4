"""unmix.separation.FastICA."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, mixing: np.ndarray, seed: int, threads: int) -> np.ndarray:
    import unmix
    from unmix.separation import FastICA

    with unmix.execution(threads=threads):
        return FastICA(random_state=seed).fit(X).components_
