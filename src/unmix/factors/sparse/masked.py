"""Orthogonal matching pursuit of signals known in part: each is coded by what its atoms look like where it was seen.

    k = argmax_k |<r, M u_k>| / ||M u_k||,   z = argmin ||M (x - z U)||²,   M = 1 where x is known

Atoms are compared at the length their observed part has.  All signals of a block take a step together, so that the
products of residuals and atoms are one matrix product.  Elad, Starck, Querre & Donoho, Applied and Computational
Harmonic Analysis 19, 2005; Mairal, Elad & Sapiro, IEEE Trans. Image Processing 17, 2008.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.factors.sparse.codes import empty_codes
from unmix.factors.sparse.dictionary import Dictionary
from unmix.factors.sparse.omp import Rule, give_back_lengths, omp_block, rounding

MOST_ENTRIES = 2**21  # of the orthonormal directions of the signals that take their steps together
LEAST_SEEN = 1e-4  # of an atom's energy; one that is hardly seen would take any coefficient


def gappy_block(block: np.ndarray, rows: Any, dictionary: Dictionary, rule: Rule) -> np.ndarray:
    """Packed codes of signals with NaN where they are not known; the known ones go the faster way."""
    gaps = np.isnan(block.sum(axis=1))
    if not gaps.any():
        return omp_block(block, rows, dictionary, rule)
    codes = empty_codes(len(block), rule.n_nonzero, dictionary.atoms.dtype)
    whole = np.flatnonzero(~gaps)
    if whole.size:
        codes[whole] = omp_block(block[whole], None, dictionary, rule)
    partial = np.flatnonzero(gaps)
    together = int(np.clip(MOST_ENTRIES // (rule.n_nonzero * (block.shape[1] + rule.n_nonzero)), 16, 256))
    for start in range(0, partial.size, together):
        part = partial[start : start + together]
        codes[part] = give_back_lengths(masked_omp(block[part], dictionary, rule), dictionary.lengths)
    return codes


def masked_omp(signals: np.ndarray, dictionary: Dictionary, rule: Rule) -> np.ndarray:
    """Codes for unit atoms. The error allowed falls with the number of known entries: the same mean square an entry."""
    from unmix.factors.sparse.masked_kernel import extend, finish

    known = ~np.isnan(signals)
    residuals = np.where(known, signals, 0).astype(dictionary.atoms.dtype)
    n, d = residuals.shape
    seen = known.astype(residuals.dtype) @ (dictionary.atoms * dictionary.atoms).T  # ||M u_k||²
    scale = np.where(seen > LEAST_SEEN, 1 / np.sqrt(np.maximum(seen, LEAST_SEEN)), 0).astype(residuals.dtype)
    width, tiny = rule.n_nonzero, rounding(residuals.dtype)
    squares = np.einsum("ij,ij->i", residuals, residuals, dtype=np.float64)
    limits = known.sum(axis=1)
    left, stops = squares.copy(), rule.stop * limits / d
    basis = np.empty((n, width, d), residuals.dtype)
    lower, along, counts = np.zeros((n, width, width)), np.zeros((n, width)), np.zeros(n, np.int64)
    codes = empty_codes(n, width, residuals.dtype)
    going = np.flatnonzero((left > stops) & (limits > 0))
    for _ in range(width):
        if going.size == 0:
            break
        c = residuals[going] @ dictionary.atoms.T
        on = np.zeros(going.size, np.bool_)
        state = (residuals, basis, lower, along, counts, left, codes["atom"])
        extend(going, c, scale, known, dictionary.atoms, squares, tiny, *state, on)
        on &= (left[going] > stops[going]) & (counts[going] < limits[going])
        going = going[on]
    finish(lower, along, counts, codes["value"])
    return codes
