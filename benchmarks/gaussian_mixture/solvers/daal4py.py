"""daal4py.em_gmm, oneDAL's EM."""

import numpy as np

requires = ["daal4py"]


def solve(
    X: np.ndarray,
    iterations: int,
    weights: np.ndarray,
    means: np.ndarray,
    covariances: np.ndarray,
    seed: int,
    threads: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    import daal4py

    daal4py.daalinit(threads)
    fptype = "float" if X.dtype == np.float32 else "double"
    algorithm = daal4py.em_gmm(len(means), fptype=fptype, maxIterations=iterations, accuracyThreshold=0.0)
    fit = algorithm.compute(X, weights[None], means, list(covariances))
    return fit.weights.ravel(), fit.means, np.array(fit.covariances)
