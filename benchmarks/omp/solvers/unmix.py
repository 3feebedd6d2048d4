"""unmix.decomposition.SparseCoder."""

from typing import Any

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, U: np.ndarray, s: int, seed: int, threads: int) -> Any:
    import unmix
    from unmix.decomposition import SparseCoder

    with unmix.execution(threads=threads):
        return SparseCoder(U, transform_n_nonzero_coefs=s, output="sparse").fit(X).transform(X)
