"""unmix.decomposition.NMF, stopped as soon as its error is that of scikit-learn's coordinate descent."""

import warnings
from typing import Any

import numpy as np

requires = ["unmix"]


def solve(
    X: Any, k: int, target: float, multiplicative: float, seed: int, threads: int
) -> tuple[np.ndarray, np.ndarray]:
    import unmix
    from unmix.decomposition import NMF

    def reached(record: Any) -> bool:
        return record.stage == "hals" and record.values["objective"] <= 0.5 * target**2

    with warnings.catch_warnings(), unmix.execution(threads=threads, observe=reached):
        warnings.simplefilter("ignore")
        model = NMF(k, tol=0, random_state=0)
        return model.fit_transform(X), model.components_
