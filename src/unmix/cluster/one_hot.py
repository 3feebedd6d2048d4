"""Labels as an assignment matrix and back: Z (n, k) has exactly one 1 a row, and X ≈ Z U."""

from typing import Any

import numpy as np


def one_hot(labels: Any, n_clusters: int | None = None) -> np.ndarray:
    """The 1-of-K matrix of labels 0, …, K - 1.

    Parameters
    ----------
    labels : array-like of int, shape (n,)
    n_clusters : int, optional
        The number of columns; by default one more than the largest label.

    Returns
    -------
    Z : ndarray of int8, shape (n, n_clusters)

    Examples
    --------
    >>> one_hot([0, 2, 1])
    array([[1, 0, 0],
           [0, 0, 1],
           [0, 1, 0]], dtype=int8)
    """
    labels = np.asarray(labels)
    if labels.ndim != 1 or (labels.size and labels.dtype.kind not in "iub"):
        raise ValueError(f"labels must be a list of whole numbers, got {labels.dtype} of shape {labels.shape}")
    labels = labels.astype(np.intp)
    k = (int(labels.max()) + 1 if labels.size else 0) if n_clusters is None else n_clusters
    if labels.size and (labels.min() < 0 or labels.max() >= k):
        raise ValueError(f"labels run from {labels.min()} to {labels.max()}; with {k} clusters they are 0 to {k - 1}")
    Z = np.zeros((len(labels), k), np.int8)
    Z[np.arange(len(labels)), labels] = 1
    return Z


def from_one_hot(Z: Any) -> np.ndarray:
    """The labels of a 1-of-K matrix.

    Examples
    --------
    >>> from_one_hot([[0, 1], [1, 0]])
    array([1, 0], dtype=int32)
    """
    Z = np.asarray(Z)
    if Z.ndim != 2:
        raise ValueError(f"a 1-of-K matrix has two dimensions, got {Z.ndim}")
    ones = Z == 1
    wrong = np.flatnonzero((ones.sum(axis=1) != 1) | ((Z != 0) != ones).any(axis=1))
    if len(wrong):
        raise ValueError(f"row {wrong[0]} of the matrix is not one 1 among zeros; {len(wrong)} row(s) are not")
    return ones.argmax(axis=1).astype(np.int32)
