"""pyriemann's UWEDGE, unweighted least squares."""

import numpy as np

requires = ["pyriemann"]


def solve(matrices: np.ndarray, mixing: np.ndarray, seed: int, threads: int) -> np.ndarray:
    from pyriemann.utils.ajd import uwedge

    found = uwedge(matrices)
    return np.asarray(found[0])
