"""picard.picard, orthogonal, with its defaults."""

import numpy as np

requires = ["picard"]


def solve(X: np.ndarray, mixing: np.ndarray, seed: int, threads: int) -> np.ndarray:
    from picard import picard

    whitening, rotation, _ = picard(X.T, random_state=seed)
    return rotation @ whitening
