"""unmix.density.KernelDensity."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, queries: np.ndarray, bandwidth: float, seed: int, threads: int) -> np.ndarray:
    import unmix
    from unmix.density import KernelDensity

    with unmix.execution(threads=threads):
        return KernelDensity(bandwidth, rtol=1e-4).fit(X).score_samples(queries)
