"""unmix.density.GaussianMixture."""

import numpy as np

requires = ["unmix"]


def solve(
    X: np.ndarray,
    iterations: int,
    weights: np.ndarray,
    means: np.ndarray,
    covariances: np.ndarray,
    seed: int,
    threads: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    import unmix
    from unmix.density import GaussianMixture

    model = GaussianMixture(
        len(means),
        covariance_type="full",
        weights_init=weights,
        means_init=means,
        precisions_init=np.linalg.inv(covariances),
        max_iter=iterations,
        tol=0,
        random_state=seed,
    )
    with unmix.execution(threads=threads):
        model.fit(X)
    return model.weights_, model.means_, model.covariances_
