"""picard.picard, not orthogonal, with the same density."""

import numpy as np

requires = ["picard"]


def solve(X: np.ndarray, tol: float, seed: int, threads: int) -> np.ndarray:
    from picard import picard
    from picard.densities import Tanh

    density = Tanh(params={"alpha": 0.5})  # 2 log cosh(s / 2): the logistic
    settings = {"ortho": False, "extended": False, "max_iter": 1000, "random_state": seed}
    whitening, rotation, _ = picard(X.T, fun=density, tol=tol, **settings)
    return rotation @ whitening
