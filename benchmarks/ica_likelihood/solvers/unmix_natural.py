"""unmix.separation.Infomax by the natural gradient, which crawls."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, tol: float, seed: int, threads: int) -> np.ndarray:
    import unmix
    from unmix.separation import Infomax

    with unmix.execution(threads=threads):
        return Infomax(extended=False, solver="natural", tol=tol, random_state=seed).fit(X).components_
