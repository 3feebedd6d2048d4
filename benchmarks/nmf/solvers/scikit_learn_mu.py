"""sklearn.decomposition.NMF, multiplicative updates, as it comes."""

import warnings
from typing import Any

import numpy as np

requires = ["sklearn"]


def solve(
    X: Any, k: int, target: float, multiplicative: float, seed: int, threads: int
) -> tuple[np.ndarray, np.ndarray]:
    from sklearn.decomposition import NMF

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = NMF(k, solver="mu", init="nndsvda", random_state=0)
        return model.fit_transform(X), model.components_
