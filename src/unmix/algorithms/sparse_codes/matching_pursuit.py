"""Matching pursuit: take the atom most like the residual, subtract its share, and never look back.

    k = argmax_k |<r, u_k>|,   z_k += <r, u_k>,   r -= <r, u_k> u_k

until ||z||_0 = K or the error is small.  Mallat & Zhang, IEEE Trans. Signal Processing 41, 1993.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.sparse_codes.dictionary import Dictionary
from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit import Rule, pursue_all

MOST_STEPS = 1000  # an atom; the error falls geometrically, but slowly where atoms are much alike


def mp_block(block: Any, rows: Any, dictionary: Dictionary, rule: Rule) -> np.ndarray:
    """Packed codes of the signals of a block, dense or CSR."""
    from unmix.algorithms.sparse_codes.matching_pursuit_kernel import match

    place = np.full(len(dictionary.atoms), -1)
    return pursue_all(match, block, dictionary, rule, MOST_STEPS * rule.n_nonzero, place)
