"""The compiled part of online learning: each atom to the minimum of the quadratic that the statistics describe.

u_k ← u_k + (B_k - A_k U) / A_kk,   then to length one
"""

from typing import Any

from unmix.algorithms.dictionary.ksvd_kernel import FAST, to_unit_length
from unmix.core.compiled.kernel import kernel


@kernel(fastmath=FAST)
def descend_atoms(A: Any, B: Any, dictionary: Any, sweeps: int, positive: bool, fresh: Any) -> None:
    """Sweeps over all atoms, in place; those that no code uses (A_kk = 0) stay. `fresh` is room for an atom.

    Where atoms have to be positive, negative entries become 0: the minimum, as entries do not depend on each other.
    """
    k, d = dictionary.shape
    for _ in range(sweeps):
        for c in range(k):
            if not A[c, c] > 0:
                continue
            for p in range(d):
                fresh[p] = B[c, p]
            for m in range(k):
                if A[c, m] != 0 and m != c:
                    for p in range(d):
                        fresh[p] -= A[c, m] * dictionary[m, p]
            if positive:
                for p in range(d):
                    fresh[p] = fresh[p] if fresh[p] > 0 else 0.0
            if to_unit_length(fresh):
                for p in range(d):
                    dictionary[c, p] = fresh[p]
