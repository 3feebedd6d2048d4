"""unmix.decomposition.RobustPCA as it comes."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, L: np.ndarray, seed: int, threads: int) -> np.ndarray:
    import unmix
    from unmix.decomposition import RobustPCA

    with unmix.execution(threads=threads):
        return RobustPCA().fit(X).low_rank_
