"""Tables without clusters: one mode each, of every shape that has fooled a method for counting clusters.

gaussian     N(0, A Aᵀ), A = identity or random           uniform   on the cube [0, 1]^d
student_t    heavy tails: N(0, I) / sqrt(χ²_ν / ν)         skewed    independent gamma variables, mixed if correlated
"""

from __future__ import annotations

import numpy as np

Seed = int | np.random.Generator | None


def gaussian(
    n_rows: int = 500, n_features: int = 2, *, correlated: bool = False, random_state: Seed = None
) -> np.ndarray:
    """One Gaussian; round, or with a random covariance A Aᵀ.

    >>> gaussian(100, 3, random_state=0).shape
    (100, 3)
    """
    rng = np.random.default_rng(random_state)
    X = rng.standard_normal((n_rows, n_features))
    return X @ rng.standard_normal((n_features, n_features)) if correlated else X


def uniform(n_rows: int = 500, n_features: int = 2, *, random_state: Seed = None) -> np.ndarray:
    """Uniform on the unit cube: flat, so that chance alone makes the most of apparent gaps.

    >>> uniform(100, 3, random_state=0).max() < 1
    np.True_
    """
    return np.random.default_rng(random_state).uniform(size=(n_rows, n_features))


def student_t(
    n_rows: int = 500, n_features: int = 2, *, degrees_of_freedom: float = 3.0, random_state: Seed = None
) -> np.ndarray:
    """Multivariate t: one mode, and rows far outside that squared-error methods like to call clusters.

    >>> student_t(100, 3, random_state=0).shape
    (100, 3)
    """
    rng = np.random.default_rng(random_state)
    scale = np.sqrt(rng.chisquare(degrees_of_freedom, (n_rows, 1)) / degrees_of_freedom)
    return rng.standard_normal((n_rows, n_features)) / scale


def skewed(
    n_rows: int = 500, n_features: int = 2, *, shape: float = 1.0, correlated: bool = False, random_state: Seed = None
) -> np.ndarray:
    """Independent gamma variables (shape 1 = exponential), or a random linear mixture of them.

    >>> bool(skewed(100, 3, random_state=0).min() >= 0)
    True
    """
    rng = np.random.default_rng(random_state)
    X = rng.gamma(shape, size=(n_rows, n_features))
    return X @ rng.standard_normal((n_features, n_features)) if correlated else X
