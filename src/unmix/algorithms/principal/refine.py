"""Weak directions, solved again from the data where squaring has drowned them.

An eigenvalue of S = XᵀX carries an error of eps times the largest, so a singular value below √√eps of the largest
keeps too few digits.  The weak eigenvectors T of S still span the right space: the largest directions enter it by eps
only.  In the scatter of T x, taken in a second pass, nothing large is left to drown them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.principal.scatter import as_double, is_sparse_block, prepare
from unmix.core.blocks import RowBlocks
from unmix.core.linalg import leading_eigenpairs


def weak_from(values: np.ndarray, dtype: np.dtype[Any]) -> int:
    """How many leading eigenvalues are safe; those from there on need a second look."""
    if not values[0] > 0:
        return 0
    return int((values >= np.sqrt(np.finfo(dtype).eps) * values[0]).sum())


def refine(
    X: RowBlocks, values: np.ndarray, vectors: np.ndarray, weights: np.ndarray | None, shift: np.ndarray, scale: float
) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues and vectors of the scatter about ``shift``, the weak ones solved again within their span."""
    strong = weak_from(values, X.dtype)
    weak = vectors[strong:]
    gram = X.reduce(projected_gram, weak, shift, scale, rows=weights).gram
    small, turn = leading_eigenpairs(gram, len(gram))
    return np.concatenate([values[:strong], small]), np.concatenate([vectors[:strong], turn @ weak])


class ProjectedGram(NamedTuple):
    gram: np.ndarray


@np.errstate(over="ignore", under="ignore", invalid="ignore")
def projected_gram(
    block: Any, weights: np.ndarray | None, directions: np.ndarray, shift: np.ndarray, scale: float
) -> ProjectedGram:
    rows, roots = prepare(block, weights, shift, scale)
    codes = rows @ directions.T.astype(rows.dtype)
    if is_sparse_block(block):  # prepare leaves sparse rows where they are
        codes -= (np.ones(len(codes)) if roots is None else roots)[:, None] * (directions @ shift)
    return ProjectedGram(as_double(codes.T @ codes))
