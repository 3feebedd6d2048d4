"""Codes with a price on size: the convex relative of a limit on the number of non-zeros.

    minimise ½ ||x - z U||² + alpha Σ_k |z_k|

exactly, by a set of atoms that grows and shrinks until |<r, u_k>| ≤ alpha for all, with equality inside the set.
Tibshirani, Journal of the Royal Statistical Society B 58, 1996; Lee, Battle, Raina & Ng, NIPS 2006.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.factors.sparse.dictionary import Dictionary
from unmix.factors.sparse.omp import SIGNALS, rounding


def lasso_block(block: Any, rows: Any, dictionary: Dictionary, alpha: float) -> np.ndarray:
    """Dense codes (m, k) of the signals of a block; `dictionary` holds the atoms as given, not of length one."""
    from unmix.factors.sparse.lasso_kernel import descend

    codes = np.zeros((block.shape[0], len(dictionary.atoms)), dictionary.atoms.dtype)
    rank = min(dictionary.atoms.shape)
    for start in range(0, block.shape[0], SIGNALS):
        part = slice(start, start + SIGNALS)
        correlations = np.ascontiguousarray(block[part] @ dictionary.atoms.T)
        descend(correlations, dictionary.gram, rank, float(alpha), rounding(codes.dtype), codes[part])
    return codes


def as_given(atoms: np.ndarray) -> Dictionary:
    """The lasso prices entries of z, so the lengths of atoms matter and stay."""
    return Dictionary(atoms, np.ones(len(atoms)), atoms @ atoms.T)
