"""The singular values above a threshold, from the subspace found for a matrix close by.

One step of orthogonal iteration, Q = orth(W Vᵀ), then the singular values of Qᵀ W: while W changes little between
calls, so does the subspace, and one step a call keeps up with it. Guard directions below the threshold tell that none
is missed; where none is left the next call looks further. Large shares of the spectrum are computed in full, of long
matrices from inner products.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.core.random import spawn

FULL_SHARE = 0.3  # of the spectrum: from here on a full decomposition is cheaper
LEAST_SINGULAR_VALUE = 1e-3  # share of the largest singular value above which squares have digits enough
MOST_DENSE = 64  # matrices with a side up to this are decomposed in full: it takes no time


class Leading(NamedTuple):
    """Left and right directions (columns of U, rows of V) and values, falling; and how many to look for next."""

    U: np.ndarray
    values: np.ndarray
    V: np.ndarray
    wanted: int


def start_leading(W: np.ndarray, count: int) -> Leading:
    """A first subspace, by a few steps from random directions."""
    size = min(W.shape)
    if _is_full(count, size):
        return _full(W, count)
    now = _iterate(W, spawn(0).standard_normal((min(count, size), W.shape[1])), count)
    for _ in range(3):
        now = _iterate(W, now.V, count)
    return now


def follow_leading(W: np.ndarray, before: Leading, threshold: float) -> tuple[Leading, int]:
    """The subspace for ``W``, and how many of its values exceed ``threshold``."""
    size = min(W.shape)
    if _is_full(before.wanted, size):
        now = _by_gram(W, before.wanted) if max(W.shape) >= 2 * size else _full(W, before.wanted)
        if threshold < LEAST_SINGULAR_VALUE * now.values[0]:
            now = _full(W, before.wanted)
    else:
        now = _iterate(W, _resized(before, W.shape[1]), before.wanted)
    rank = int((now.values > threshold).sum())
    missed = rank == len(now.values) < size
    wanted = rank + max(int(0.05 * size), 5) if missed else rank + max(3, rank // 10)
    return now._replace(wanted=min(wanted, size)), rank


def orthonormal(matrix: np.ndarray) -> np.ndarray:
    return np.linalg.qr(matrix)[0]


def _is_full(count: int, size: int) -> bool:
    return size <= MOST_DENSE or count > FULL_SHARE * size


def _full(W: np.ndarray, wanted: int) -> Leading:
    U, values, V = np.linalg.svd(W, full_matrices=False)
    return Leading(U, values, V, wanted)


def _by_gram(W: np.ndarray, wanted: int) -> Leading:
    """All singular values of a long matrix, from the inner products of its short side."""
    tall = W if len(W) >= W.shape[1] else W.T
    squares, turn = np.linalg.eigh(tall.T @ tall)
    values, short = np.sqrt(np.maximum(squares[::-1], 0.0)), turn[:, ::-1]
    long = (tall @ short) / np.maximum(values, np.finfo(float).tiny)
    return Leading(long, values, short.T, wanted) if tall is W else Leading(short, values, long.T, wanted)


def _resized(before: Leading, d: int) -> np.ndarray:
    """As many directions as wanted: the first ones, and new random ones where there are too few."""
    kept = before.V[: before.wanted]
    more = before.wanted - len(kept)
    return kept if more == 0 else np.vstack([kept, spawn(0, before.wanted).standard_normal((more, d))])


def _iterate(W: np.ndarray, V: np.ndarray, wanted: int) -> Leading:
    Q = orthonormal(W @ V.T)
    C = Q.T @ W
    squares, turn = np.linalg.eigh(C @ C.T)
    values = np.sqrt(np.maximum(squares[::-1], 0.0))
    turn = turn[:, ::-1]
    V = (turn.T @ C) / np.maximum(values, np.finfo(float).tiny)[:, None]
    return Leading(Q @ turn, values, V, wanted)
