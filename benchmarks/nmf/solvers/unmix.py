"""unmix.decomposition.NMF, as it comes."""

import warnings
from typing import Any

import numpy as np

requires = ["unmix"]


def solve(
    X: Any, k: int, target: float, multiplicative: float, seed: int, threads: int
) -> tuple[np.ndarray, np.ndarray]:
    import unmix
    from unmix.decomposition import NMF

    with warnings.catch_warnings(), unmix.execution(threads=threads):
        warnings.simplefilter("ignore")
        model = NMF(k, random_state=0)
        return model.fit_transform(X), model.components_
