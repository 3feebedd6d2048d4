"""Sparse codes as rows of fixed width: the atoms in the order of choice, and their values; -1 is an empty place."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array


def row_type(width: int, dtype: Any) -> np.dtype:
    """One code: `width` atom numbers and as many values."""
    return np.dtype([("atom", np.int32, (width,)), ("value", dtype, (width,))])


def empty_codes(n: int, width: int, dtype: Any) -> np.ndarray:
    """n codes with nothing chosen."""
    codes = np.zeros(n, row_type(width, dtype))
    codes["atom"] = -1
    return codes


def to_dense(codes: np.ndarray, k: int) -> np.ndarray:
    """The matrix Z (n, k)."""
    dense = np.zeros((len(codes), k), codes["value"].dtype)
    rows, places = np.nonzero(codes["atom"] >= 0)
    dense[rows, codes["atom"][rows, places]] = codes["value"][rows, places]
    return dense


def to_csr(codes: np.ndarray, k: int) -> csr_array:
    """The matrix Z (n, k) with only its non-zeros stored, columns in order."""
    used = codes["atom"] >= 0
    starts = np.concatenate([[0], np.cumsum(used.sum(axis=1))]).astype(np.int32)
    matrix = csr_array((codes["value"][used], codes["atom"][used], starts), shape=(len(codes), k))
    matrix.sort_indices()
    return matrix


def trimmed(codes: np.ndarray) -> np.ndarray:
    """The same codes without the places that no row uses: a pursuit to a given error cannot know how many."""
    used = (codes["atom"] >= 0).sum(axis=1)
    width = max(int(used.max(initial=0)), 1)
    if width == codes["atom"].shape[1]:
        return codes
    out = np.empty(len(codes), row_type(width, codes["value"].dtype))
    out["atom"], out["value"] = codes["atom"][:, :width], codes["value"][:, :width]
    return out
