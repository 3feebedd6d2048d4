"""Rows of counts as objects: each with its law p(y|x) and its mass p(x), rows of the same law as one object.

An object is found by a hash of its law, which also gives the order of objects: how rows were sorted, repeated,
weighted or stored leaves no trace in what is computed from them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from unmix.core.canonical import canonical
from unmix.core.linalg import power_of_two
from unmix.information.distribution import Table, is_sparse, x_log_x
from unmix.information.entropy import nats

ENTRIES_AT_ONCE = 2**20  # entries of a dense table that are hashed at a time


class Objects(NamedTuple):
    """n different laws, in float64; a sparse table stays sparse."""

    rows: Table  # (n, d): p(y|x)
    mass: np.ndarray  # (n,): p(x), positive, adds up to one

    @property
    def marginal(self) -> np.ndarray:
        """p(y)"""
        return np.asarray(self.mass @ self.rows)

    def least(self) -> float:
        """The smallest positive p(x,y)."""
        joint = csr_array(self.rows).tocoo()
        return float((joint.data * self.mass[joint.coords[0]]).min())

    def conditional_nats(self) -> float:
        """H(Y|X)"""
        values = self.rows.copy()
        if is_sparse(values):
            values.data = x_log_x(values.data)
        else:
            values = x_log_x(values)
        return max(0.0, -float(self.mass @ np.asarray(values.sum(axis=1))))

    def shared_nats(self) -> float:
        """I(X;Y)"""
        return max(0.0, nats(self.marginal) - self.conditional_nats())


def as_objects(counts: Any, weights: np.ndarray | None = None) -> Objects:
    """The objects of a table of counts; rows without counts or weight are none."""
    table = canonical(counts) if is_sparse(counts) else counts
    weights = np.ones(table.shape[0]) if weights is None else weights
    kept = np.flatnonzero(weights > 0)
    rows, sums = laws(table[kept])
    _, first, group = np.unique(row_hashes(rows), return_index=True, return_inverse=True)
    mass = np.bincount(group, weights=weights[kept] * sums)
    present = mass > 0
    return Objects(rows[first[present]], mass[present] / mass.sum())


def laws(table: Table) -> tuple[Table, np.ndarray]:
    """p(y|x) in float64, and the sum of each row up to a common factor; a row of zeros stays one."""
    rows = table.astype(np.float64) * power_of_two(float(table.max()))  # sums of huge counts must not overflow
    sums = np.asarray(rows.sum(axis=1)).ravel()
    divisor = np.where(sums > 0, sums, 1.0)
    if not is_sparse(rows):
        return rows / divisor[:, None], sums
    rows = csr_array(rows)
    rows.data /= np.repeat(divisor, np.diff(rows.indptr))
    rows.eliminate_zeros()
    rows.sort_indices()
    return rows, sums


def row_hashes(table: Table) -> np.ndarray:
    """64 bits a row: the sum over its nonzero entries of a scrambled (column, value), the same in any storage."""
    salts = _scramble(np.arange(1, table.shape[1] + 1, dtype=np.uint64))
    if is_sparse(table):
        totals = np.zeros(
            len(table.data) + 1, dtype=np.uint64
        )  # running sums wrap around, their differences do not mind
        np.cumsum(_entry_hashes(table.data, salts[table.indices]), out=totals[1:])
        return np.asarray(totals[table.indptr[1:]] - totals[table.indptr[:-1]])
    size = max(1, ENTRIES_AT_ONCE // table.shape[1])
    pieces = [_entry_hashes(table[i : i + size], salts).sum(axis=1) for i in range(0, len(table), size)]
    return np.concatenate(pieces)


def _entry_hashes(values: np.ndarray, salts: np.ndarray) -> np.ndarray:
    bits = np.ascontiguousarray(values).view(np.uint64)
    bits = (bits + np.uint64(2**19)) >> np.uint64(20)  # the first 32 digits: sums in another order differ in the last
    return np.where(values != 0, _scramble(_scramble(bits) + salts), np.uint64(0))


def _scramble(bits: np.ndarray) -> np.ndarray:
    """Every bit of the input changes about half the bits of the output (the finalizer of splitmix64)."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
