"""One form for every sparse table: CSR, entries by column, each written down once.

A sparse matrix may hold an entry in parts that add up, entries in any order, zeros, room to spare, and indices of
either width, and mean the same table. What reads its arrays one by one would see different tables, so all that comes
from outside is brought into this form first. The matrix that was given is never written to.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def canonical(X: Any, *, zeros: bool = False) -> Any:
    """A CSR array in its one form; its arrays are those of ``X`` where they have it already.

    Parts are added in the type of the matrix, as ``X.toarray()`` does. With ``zeros`` stored zeros are kept: where an
    entry that is not stored is unknown.
    """
    from scipy.sparse import csr_array

    if getattr(X, "format", None) in ("csc", "bsr"):  # the way to CSR would follow its indices
        type(X)((X.data, X.indices, X.indptr), shape=X.shape).check_format(full_check=True)
    given = X if getattr(X, "format", None) == "csr" else csr_array(X)
    # a new matrix: flags of the given one may be of the past, and what is done in place must not reach it
    table = csr_array((given.data, given.indices, given.indptr), shape=given.shape)
    table.check_format(full_check=True)  # indices outside the table would be followed
    kind = np.int32 if max(*table.shape, table.nnz) <= np.iinfo(np.int32).max else np.int64
    table.indices, table.indptr = table.indices.astype(kind, copy=False), table.indptr.astype(kind, copy=False)
    if not table.has_canonical_format or not (zeros or table.data.all()):
        table = table.copy()
        table.sum_duplicates()
        if not zeros:
            table.eliminate_zeros()
    return table
