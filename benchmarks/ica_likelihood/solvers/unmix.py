"""unmix.separation.Infomax."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, tol: float, seed: int, threads: int) -> np.ndarray:
    import unmix
    from unmix.separation import Infomax

    with unmix.execution(threads=threads):
        return Infomax(extended=False, tol=tol, random_state=seed).fit(X).components_
