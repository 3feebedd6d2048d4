"""Tables to factorize, and the errors at which scikit-learn's two solvers stop on them."""

import warnings
from typing import Any

import numpy as np


def with_target(X: Any, k: int) -> dict[str, Any]:
    from sklearn.decomposition import NMF

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fits = [NMF(k, init="nndsvda", solver=solver, random_state=0).fit(X) for solver in ("cd", "mu")]
    errors = (float(fit.reconstruction_err_) for fit in fits)
    return {"X": X, "k": k, **dict(zip(("target", "multiplicative"), errors))}


def uniform(n: int, d: int, k: int, dtype: str) -> np.ndarray:
    """Dense uniform factors, which overlap everywhere, and noise: slow to tell apart."""
    rng = np.random.default_rng(0)
    return (rng.random((n, k)) @ rng.random((k, d)) + 0.5 * rng.random((n, d))).astype(dtype)


def parts(n: int, d: int, k: int, dtype: str) -> np.ndarray:
    """Half of all factors are zero: quick to tell apart."""
    rng = np.random.default_rng(0)
    Z, U = (rng.gamma(0.5, size=shape) * (rng.random(shape) < 0.5) for shape in ((n, k), (k, d)))
    X = Z @ U
    return np.maximum(X + 0.1 * X.mean() * rng.normal(size=X.shape), 0).astype(dtype)


def sparse(n: int, d: int, density: float, dtype: str) -> Any:
    """Uniform entries at random places."""
    from scipy.sparse import coo_array

    rng = np.random.default_rng(0)
    m = int(n * d * density)
    places = rng.integers(0, n, m), rng.integers(0, d, m)
    return coo_array((rng.random(m), places), shape=(n, d)).tocsr().astype(dtype)
