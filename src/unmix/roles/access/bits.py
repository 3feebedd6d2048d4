"""Boolean algebra on bit-packed rows: 64 entries a word, products and containments by AND, OR and popcount.

With X = UA ⊗ PA, x_up = OR_r (ua_ur AND pa_rp). A set of users and the permissions all of them hold determine each
other (Galois connection): P(U) = ∩_{u in U} row(u), U(P) = {u : P ⊆ row(u)}; U(P(U)) × P(U) is the maximal rectangle
around U.

Reference: B. Ganter, R. Wille, Formal Concept Analysis, Springer 1999.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from unmix.roles.access.grants import without_duplicates

AT_ONCE = 2**20  # words that are unpacked or gathered at a time


@dataclass(frozen=True)
class Bits:
    """A Boolean matrix, each row in uint64 words."""

    words: np.ndarray
    width: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.words.shape[0], self.width

    @classmethod
    def zeros(cls, n_rows: int, width: int) -> Bits:
        return cls(np.zeros((n_rows, max(1, -(-width // 64))), np.uint64), width)

    @classmethod
    def of(cls, matrix: Any) -> Bits:
        """Packs a dense or sparse matrix; whatever is not zero is a one.

        >>> Bits.of([[1, 0, 1]]).dense()
        array([[ True, False,  True]])
        """
        matrix = structure(matrix)
        packed = cls.zeros(*matrix.shape)
        rows, columns = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr)), matrix.indices
        if columns.size:
            place = rows * packed.words.shape[1] + (columns >> 6)  # ascending, so that a word's ones stand together
            first = np.flatnonzero(np.diff(place, prepend=-1))
            ones = np.uint64(1) << (columns & 63).astype(np.uint64)
            packed.words.reshape(-1)[place[first]] = np.bitwise_or.reduceat(ones, first)
        return packed

    def counts(self) -> np.ndarray:
        """Ones of each row."""
        return np.bitwise_count(self.words).sum(axis=1, dtype=np.int64)

    def sparse(self) -> sp.csr_array:
        starts = np.concatenate([[0], np.cumsum(self.counts())])
        columns = np.empty(starts[-1], np.int64)
        rows, places = np.nonzero(self.words)
        words, done = self.words[rows, places].astype("<u8"), 0
        for first in range(0, words.size, AT_ONCE):
            some = slice(first, first + AT_ONCE)
            ones = np.flatnonzero(np.unpackbits(words[some].view(np.uint8), bitorder="little"))
            columns[done : done + ones.size] = (places[some][ones >> 6] << 6) + (ones & 63)
            done += ones.size
        return sp.csr_array((np.ones(columns.size, bool), columns, starts), shape=self.shape)

    def dense(self) -> np.ndarray:
        return self.sparse().toarray()

    def transpose(self) -> Bits:
        return Bits.of(self.sparse().T)


def enlarged(bits: Bits, n_rows: int) -> Bits:
    """The same rows, with room for more."""
    larger = Bits.zeros(n_rows, bits.width)
    larger.words[: bits.shape[0]] = bits.words
    return larger


def structure(matrix: Any) -> sp.csr_array:
    """The ones of a matrix as a sorted CSR array of booleans, each listed once."""
    sparse: bool = sp.issparse(matrix)
    if sparse and matrix.format == "csr" and matrix.dtype == bool and matrix.has_canonical_format and matrix.data.all():
        return sp.csr_array(matrix)
    rows: np.ndarray
    columns: np.ndarray
    if sparse:
        coordinates = sp.coo_array(without_duplicates(matrix))
        keep = coordinates.data != 0
        rows, columns = coordinates.coords[0][keep], coordinates.coords[1][keep]
    else:
        matrix = np.atleast_2d(np.asarray(matrix))
        rows, columns = np.nonzero(matrix)
    return from_pairs(rows, columns, matrix.shape)


def from_pairs(rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> sp.csr_array:
    """CSR of the given positions; a position listed twice is one entry."""
    keys = np.asarray(rows, np.int64) * max(1, shape[1]) + np.asarray(columns, np.int64)
    steps = np.diff(keys)
    if (steps < 0).any():
        keys.sort()
        steps = np.diff(keys)
    if (steps == 0).any():
        keys = keys[np.concatenate([[True], steps > 0])]
    rows, columns = np.divmod(keys, max(1, shape[1]))
    starts = np.searchsorted(rows, np.arange(shape[0] + 1))
    return sp.csr_array((np.ones(columns.size, bool), columns, starts), shape=shape)


def product(assignment: Any, roles: Bits) -> Bits:
    """UA ⊗ PA: what each user gets by the union of its roles."""
    assignment = structure(assignment)
    out = Bits.zeros(assignment.shape[0], roles.width)
    combine(np.bitwise_or, assignment, roles.words, out.words)
    return out


def combine(operation: np.ufunc, lists: sp.csr_array, rows: np.ndarray, out: np.ndarray) -> None:
    """out[i] = the rows that i lists, combined; as it was where i lists none."""
    filled = np.flatnonzero(np.diff(lists.indptr))
    begins, ends, most = lists.indptr[filled], lists.indptr[filled + 1], max(1, AT_ONCE // rows.shape[1])
    first = 0
    while first < filled.size:
        last = max(first + 1, int(np.searchsorted(ends, begins[first] + most, side="right")))
        members = lists.indices[begins[first] : ends[last - 1]]
        out[filled[first:last]] = operation.reduceat(rows[members], begins[first:last] - begins[first], axis=0)
        first = last


def residual(matrix: Bits, other: Bits) -> Bits:
    """Ones of ``matrix`` that ``other`` lacks."""
    return Bits(matrix.words & ~other.words, matrix.width)


def covers(wholes: Bits, parts: Bits) -> np.ndarray:
    """(n, m) array: row i of ``wholes`` contains row j of ``parts``."""
    from unmix.roles.access.bit_kernel import holds

    out = np.zeros((wholes.shape[0], parts.shape[0]), bool)
    holds(parts.words, wholes.words, out)
    return out


def common(groups: Any, rows: Bits) -> Bits:
    """For each group of rows, what all of them have; a group of none has everything."""
    groups = structure(groups)
    out = Bits.of(np.ones((1, rows.width), bool)).words.repeat(groups.shape[0], axis=0)
    combine(np.bitwise_and, groups, rows.words, out)
    return Bits(out, rows.width)
