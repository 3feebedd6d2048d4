"""Orthogonal matching pursuit of many signals: take the atom most like the residual, refit all that were taken.

    k = argmax_k |<r, u_k>|,   z = argmin ||x - z U||² over the chosen atoms,   r = x - z U

Stops at a number of non-zeros or at an error.  Pati, Rezaiifar & Krishnaprasad, Asilomar 1993.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.factors.sparse.codes import empty_codes
from unmix.factors.sparse.dictionary import Dictionary, squared_norms

SIGNALS = 128  # coded at a time: their correlations with all atoms stay in the cache


class Rule(NamedTuple):
    """When a pursuit ends: at `n_nonzero` atoms, or at a squared residual of `stop`."""

    n_nonzero: int
    stop: float = 0.0


def rounding(dtype: Any) -> float:
    """What correlations of unit vectors are off by, at most."""
    return 32 * float(np.finfo(dtype).eps)


def as_integers(floats: np.ndarray) -> tuple[np.ndarray, Any]:
    """The same memory as integers, and the mask that takes their sign away."""
    kind = np.int32 if floats.dtype == np.float32 else np.int64
    return floats.view(kind), kind(np.iinfo(kind).max)


def omp_block(block: Any, rows: Any, dictionary: Dictionary, rule: Rule) -> np.ndarray:
    """Packed codes of the signals of a block, dense or CSR."""
    from unmix.factors.sparse.omp_kernel import pursue

    codes = empty_codes(block.shape[0], rule.n_nonzero, dictionary.atoms.dtype)
    atoms, values, squares = codes["atom"], codes["value"], squared_norms(block)
    tiny = rounding(dictionary.atoms.dtype)
    for start in range(0, block.shape[0], SIGNALS):
        part = slice(start, start + SIGNALS)
        correlations = np.ascontiguousarray(block[part] @ dictionary.atoms.T)
        bits, sizes = as_integers(correlations)
        pursue(correlations, bits, sizes, squares[part], dictionary.gram, rule.stop, tiny, atoms[part], values[part])
    return give_back_lengths(codes, dictionary.lengths)


def give_back_lengths(codes: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Codes for the atoms as they were given: z_k u_k = (z_k / length) (length u_k)."""
    if not (lengths == 1).all():
        used = codes["atom"] >= 0
        codes["value"][used] /= lengths[codes["atom"][used]]
    return codes
