"""The compiled part of online learning: each atom to the minimum of the quadratic that the statistics describe.

u_k ← u_k + (B_k - A_k U) / A_kk,   then to length one
"""

from typing import Any

import numpy as np
from numba import njit

from unmix.algorithms.dictionary.ksvd_kernel import add_scaled, to_unit_length


@njit(cache=True, nogil=True)
def descend_atoms(A: Any, B: Any, dictionary: Any, sweeps: int) -> None:
    """Sweeps over all atoms, in place; those that no code uses (A_kk = 0) stay."""
    fresh = np.empty(dictionary.shape[1], dictionary.dtype)
    for _ in range(sweeps):
        for k in range(len(dictionary)):
            if not A[k, k] > 0:
                continue
            fresh[:] = B[k]
            for m in range(len(dictionary)):
                if A[k, m] != 0 and m != k:
                    add_scaled(fresh, dictionary[m], -A[k, m])
            if to_unit_length(fresh):
                dictionary[k] = fresh
