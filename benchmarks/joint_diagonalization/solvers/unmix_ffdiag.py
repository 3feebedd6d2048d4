"""unmix.separation.joint_diagonalize, multiplicative steps."""

import numpy as np

requires = ["unmix"]


def solve(matrices: np.ndarray, mixing: np.ndarray, seed: int, threads: int) -> np.ndarray:
    from unmix.separation import joint_diagonalize

    return joint_diagonalize(matrices, "ffdiag", tol=1e-6).transform
