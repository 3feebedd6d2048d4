"""Orthogonal matching pursuit of many signals: take the atom most like the residual, refit all that were taken.

    k = argmax_k |<r, u_k>|,   z = argmin ||x - z U||² over the chosen atoms,   r = x - z U

Stops at a number of non-zeros, at an error σ, or at a share of the signal, σ ||x||.

Pati, Rezaiifar & Krishnaprasad, Asilomar 1993.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.sparse_codes.codes import empty_codes
from unmix.algorithms.sparse_codes.dictionary import Dictionary, squared_norms
from unmix.algorithms.sparse_codes.range import row_scales, scale_rows

SIGNALS = 128  # coded at a time: their correlations with all atoms stay in the cache


class Rule(NamedTuple):
    """When a pursuit ends: at `n_nonzero` atoms, or at a squared residual of `stop`, or of `share` of the signal's."""

    n_nonzero: int
    stop: float = 0.0
    share: float = 0.0

    @property
    def ends_at_error(self) -> bool:
        return self.stop > 0 or self.share > 0

    def stops(self, squares: np.ndarray, seen: Any = 1.0) -> np.ndarray:
        """The squared residual at which each signal's code may end; ``seen`` is the share of its entries known."""
        return np.full(len(squares), self.stop) * seen if self.share == 0 else self.share * squares


def rounding(dtype: Any) -> float:
    """What correlations of unit vectors are off by, at most."""
    return 32 * float(np.finfo(dtype).eps)


def as_integers(floats: np.ndarray) -> tuple[np.ndarray, Any]:
    """The same memory as integers, and the mask that takes their sign away."""
    kind = np.int32 if floats.dtype == np.float32 else np.int64
    return floats.view(kind), kind(np.iinfo(kind).max)


def omp_block(block: Any, rows: Any, dictionary: Dictionary, rule: Rule) -> np.ndarray:
    """Packed codes of the signals of a block, dense or CSR."""
    from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit_kernel import pursue

    return pursue_all(pursue, block, dictionary, rule, *room_for(rule.n_nonzero, dictionary))


def room_for(width: int, dictionary: Dictionary) -> tuple[np.ndarray, ...]:
    """Rows of chosen directions, filled up to a multiple of four, a fresh one and their mix; the triangular system."""
    k, dtype, padded = len(dictionary.atoms), dictionary.atoms.dtype, (width + 3) // 4 * 4
    rows = np.zeros((padded, k), dtype), np.empty(k, dtype), np.empty(padded, dtype)
    return *rows, np.zeros((width, width)), np.zeros(width)


def pursue_all(kernel: Any, block: Any, dictionary: Dictionary, rule: Rule, *options: Any) -> np.ndarray:
    """Codes by a compiled pursuit, some signals at a time; extreme signals are scaled before and codes after."""
    squares = squared_norms(block)
    scales, stops = row_scales(block, squares), rule.stops(squares)
    if scales is not None:
        block = scale_rows(block, scales)
        squares = squared_norms(block)
        stops = scaled_stops(rule, stops, squares, scales)
    codes = empty_codes(block.shape[0], rule.n_nonzero, dictionary.atoms.dtype)
    tiny = rounding(dictionary.atoms.dtype)
    for start in range(0, block.shape[0], SIGNALS):
        part = slice(start, start + SIGNALS)
        c = np.ascontiguousarray(block[part] @ dictionary.atoms.T)
        out = codes["atom"][part], codes["value"][part]
        kernel(c, *as_integers(c), squares[part], dictionary.gram, stops[part], tiny, *options, *out)
    return undo_scaling(codes, dictionary.lengths, scales)


@np.errstate(over="ignore", under="ignore")
def scaled_stops(rule: Rule, stops: np.ndarray, squares: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Of signals that were multiplied; a share is one of the squares that they have now."""
    return rule.stops(squares) if rule.share else stops * scales * scales


def undo_scaling(codes: np.ndarray, lengths: np.ndarray, scales: np.ndarray | None = None) -> np.ndarray:
    """Codes for atoms and signals as they were given: x = Σ z u / scale = Σ (z / (scale length)) (length u)."""
    if scales is not None:
        codes["value"] /= scales[:, None]
    if not (lengths == 1).all():
        used = codes["atom"] >= 0
        codes["value"][used] /= lengths[codes["atom"][used]]
    return codes
