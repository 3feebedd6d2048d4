"""A dictionary made ready for coding: atoms of length one, and the products of all pairs.

    gram = U Uᵀ,   u_k ← u_k / ||u_k||

Pursuit compares atoms by direction, so lengths are set aside and given back to the codes in the end.  A zero atom stays
zero: nothing correlates with it, and it is never chosen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Dictionary(NamedTuple):
    """Unit atoms (k, d), their lengths as they were given, and their Gram matrix."""

    atoms: np.ndarray
    lengths: np.ndarray
    gram: np.ndarray


def prepare(atoms: np.ndarray, dtype: Any = None) -> Dictionary:
    """Lengths are divided out in double precision, by the largest entry first: no square over- or underflows."""
    given = np.asarray(atoms, dtype=np.float64)
    largest = np.abs(given).max(axis=1)
    safe = np.where(largest > 0, largest, 1.0)
    scaled = given / safe[:, None]
    lengths = np.sqrt((scaled * scaled).sum(axis=1))
    unit = (scaled / np.where(lengths > 0, lengths, 1.0)[:, None]).astype(dtype or given.dtype)
    return Dictionary(np.ascontiguousarray(unit), lengths * safe, unit @ unit.T)


def prepare_unit(atoms: np.ndarray) -> Dictionary:
    """The same for atoms known to have length one."""
    return Dictionary(atoms, np.ones(len(atoms)), atoms @ atoms.T)


def squared_norms(block: Any) -> np.ndarray:
    """||x||² of the rows of a block, dense or CSR, in double precision."""
    if hasattr(block, "tocsr"):
        return np.asarray(block.multiply(block).sum(axis=1, dtype=np.float64)).reshape(-1)
    return np.einsum("ij,ij->i", block, block, dtype=np.float64)
