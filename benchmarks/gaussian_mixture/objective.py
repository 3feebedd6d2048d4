"""objective: mean negative log-likelihood of a row (lower is better)"""

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import logsumexp


def evaluate(result: tuple[np.ndarray, np.ndarray, np.ndarray], X: np.ndarray, **start: object) -> float:
    """In float64 from weights, means and covariances, by Cholesky factors."""
    weights, means, covariances = (np.asarray(part, dtype=np.float64) for part in result)
    rows = X.astype(np.float64)
    terms = []
    for weight, mean, covariance in zip(weights, means, covariances, strict=True):
        factor = np.linalg.cholesky(covariance)
        whitened = solve_triangular(factor, (rows - mean).T, lower=True)
        log_volume = np.log(np.diag(factor)).sum() + 0.5 * X.shape[1] * np.log(2 * np.pi)
        terms.append(np.log(weight) - log_volume - 0.5 * np.einsum("ji,ji->i", whitened, whitened))
    return -float(logsumexp(terms, axis=0).mean())
