"""sklearn.manifold.LocallyLinearEmbedding, by ARPACK."""

import numpy as np

requires = ["sklearn"]


def solve(X: np.ndarray, n_neighbors: int, n_components: int, seed: int, threads: int) -> np.ndarray:
    from sklearn.manifold import LocallyLinearEmbedding

    model = LocallyLinearEmbedding(
        n_components=n_components, n_neighbors=n_neighbors, eigen_solver="arpack", random_state=seed, n_jobs=threads
    )
    return model.fit_transform(X)
