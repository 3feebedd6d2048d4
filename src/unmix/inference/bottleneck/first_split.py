"""The beta at which one cluster first pays for becoming two.

    beta_1 = 1 / σ²,   σ the second singular value of p(x,y) / sqrt(p(x) p(y))   (the first one is 1)

Below it the code that says nothing is stable, since KL is quadratic around p(y). Reference: Chechik,
Globerson, Tishby & Weiss, Information bottleneck for Gaussian variables, JMLR 6 (2005): the same expansion for counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array, diags_array
from scipy.sparse.linalg import LinearOperator, svds

from unmix.information.distribution import is_sparse
from unmix.information.objects import Objects

MOST_DENSE = 64  # up to this size all singular values are computed


def first_split(objects: Objects) -> float:
    """beta_1, infinite where Y does not depend on X."""
    marginal = objects.marginal
    left, right = np.sqrt(objects.mass), np.sqrt(marginal)
    scale = 1.0 / np.where(right > 0, right, 1.0)
    if is_sparse(objects.rows):
        correlation: Any = csr_array(diags_array(left) @ objects.rows @ diags_array(scale))
    else:
        correlation = left[:, None] * objects.rows * scale
    squared = _second_singular_value(correlation, left, right) ** 2
    return float(1.0 / squared) if squared > 1e-12 else float("inf")


def _second_singular_value(matrix: Any, left: np.ndarray, right: np.ndarray) -> float:
    """The largest one after the pair (left, right), which belongs to 1, is taken out."""
    if min(matrix.shape) <= MOST_DENSE:
        dense = matrix.toarray() if is_sparse(matrix) else matrix
        return float(np.linalg.norm(dense - np.multiply.outer(left, right), 2))
    deflated = LinearOperator(
        matrix.shape,
        matvec=lambda v: matrix @ v.ravel() - left * (right @ v.ravel()),
        rmatvec=lambda u: matrix.T @ u.ravel() - right * (left @ u.ravel()),
        dtype=np.float64,
    )
    start = np.random.default_rng(0).standard_normal(min(matrix.shape))
    return float(svds(deflated, k=1, v0=start, tol=1e-6, return_singular_vectors=False)[0])
