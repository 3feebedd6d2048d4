"""sklearn.mixture.GaussianMixture."""

import numpy as np

requires = ["sklearn"]


def solve(
    X: np.ndarray,
    iterations: int,
    weights: np.ndarray,
    means: np.ndarray,
    covariances: np.ndarray,
    seed: int,
    threads: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    from sklearn.mixture import GaussianMixture

    model = GaussianMixture(
        len(means),
        weights_init=weights,
        means_init=means,
        precisions_init=np.linalg.inv(covariances),
        max_iter=iterations,
        tol=0,
        random_state=seed,
    )
    model.fit(X)
    return model.weights_, model.means_, model.covariances_
