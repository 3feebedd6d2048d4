"""unmix.embedding.LocallyLinearEmbedding."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, n_neighbors: int, n_components: int, seed: int, threads: int) -> np.ndarray:
    import unmix
    from unmix.embedding import LocallyLinearEmbedding

    with unmix.execution(threads=threads):
        return LocallyLinearEmbedding(n_components, n_neighbors=n_neighbors).fit_transform(X)
