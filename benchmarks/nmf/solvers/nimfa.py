"""nimfa.Lsnmf, projected gradients, as it comes."""

from typing import Any

import numpy as np

requires = ["nimfa"]


def unable(X: Any, **rest: Any) -> str:
    return "it takes dense tables only" if hasattr(X, "tocsr") else ""


def solve(
    X: Any, k: int, target: float, multiplicative: float, seed: int, threads: int
) -> tuple[np.ndarray, np.ndarray]:
    import nimfa

    found = nimfa.Lsnmf(X.astype(np.float64), seed="nndsvd", rank=k, max_iter=50)()
    return np.asarray(found.basis()), np.asarray(found.coef())
