"""Matching pursuit: take the atom most like the residual, subtract its share, and never look back.

    k = argmax_k |<r, u_k>|,   z_k += <r, u_k>,   r -= <r, u_k> u_k

until ||z||_0 = K or the error is small.  Mallat & Zhang, IEEE Trans. Signal Processing 41, 1993.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.factors.sparse.codes import empty_codes
from unmix.factors.sparse.dictionary import Dictionary, squared_norms
from unmix.factors.sparse.omp import SIGNALS, Rule, as_integers, give_back_lengths, rounding

MOST_STEPS = 1000  # an atom; the error falls geometrically, but slowly where atoms are much alike


def mp_block(block: Any, rows: Any, dictionary: Dictionary, rule: Rule) -> np.ndarray:
    """Packed codes of the signals of a block, dense or CSR."""
    from unmix.factors.sparse.mp_kernel import match

    codes = empty_codes(block.shape[0], rule.n_nonzero, dictionary.atoms.dtype)
    atoms, values, squares = codes["atom"], codes["value"], squared_norms(block)
    tiny, most = rounding(dictionary.atoms.dtype), MOST_STEPS * rule.n_nonzero
    for start in range(0, block.shape[0], SIGNALS):
        part = slice(start, start + SIGNALS)
        c = np.ascontiguousarray(block[part] @ dictionary.atoms.T)
        match(c, *as_integers(c), squares[part], dictionary.gram, rule.stop, tiny, most, atoms[part], values[part])
    return give_back_lengths(codes, dictionary.lengths)
