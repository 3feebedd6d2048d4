"""Orthogonal matching pursuit of signals known in part: each is coded by what its atoms look like where it was seen.

    k = argmax_k |<r, M u_k>| / ||M u_k||,   z = argmin ||M (x - z U)||²,   M = 1 where x is known

Atoms are compared at the length their observed part has.  All signals of a block take a step together, so that the
products of residuals and atoms are one matrix product.  Elad, Starck, Querre & Donoho, Applied and Computational
Harmonic Analysis 19, 2005; Mairal, Elad & Sapiro, IEEE Trans. Image Processing 17, 2008.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.sparse_codes.codes import empty_codes
from unmix.algorithms.sparse_codes.dictionary import Dictionary, squared_norms
from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit import (
    Rule,
    as_integers,
    omp_block,
    rounding,
    scaled_stops,
    undo_scaling,
)
from unmix.algorithms.sparse_codes.range import row_scales, scale_rows

SIGNALS = 256  # that take their steps together
CAPACITY = 16  # atoms a code has room for before more is made: most codes are short
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
    for start in range(0, partial.size, SIGNALS):
        part = partial[start : start + SIGNALS]
        codes[part] = masked_omp(block[part], dictionary, rule)
    return codes


class Work(NamedTuple):
    """The orthonormal directions of each signal, the atoms in their terms (lower), and the steps along them."""

    basis: np.ndarray
    lower: np.ndarray
    along: np.ndarray

    @classmethod
    def room_for(cls, n: int, width: int, d: int, dtype: Any, before: Work | None = None) -> Work:
        work = cls(np.empty((n, width, d), dtype), np.empty((n, width, width)), np.empty((n, width)))
        if before is not None:
            old = before.along.shape[1]
            work.basis[:, :old], work.lower[:, :old, :old], work.along[:, :old] = before
        return work


def masked_omp(signals: np.ndarray, dictionary: Dictionary, rule: Rule) -> np.ndarray:
    """The error allowed falls with the number of known entries: the same mean square an entry, or share of them."""
    from unmix.algorithms.sparse_codes.masked_kernel import extend, finish

    known = ~np.isnan(signals)
    residuals = np.where(known, signals, 0).astype(dictionary.atoms.dtype)
    n, d = residuals.shape
    seen = known.astype(residuals.dtype) @ (dictionary.atoms * dictionary.atoms).T  # ||M u_k||²
    inverse = np.divide(1, seen, out=np.zeros_like(seen), where=seen > LEAST_SEEN)
    width, tiny = rule.n_nonzero, rounding(residuals.dtype)
    squares, limits = squared_norms(residuals), known.sum(axis=1)
    counts, scales = np.zeros(n, np.int64), row_scales(residuals, squares)
    stops = rule.stops(squares) if rule.share else rule.stop * limits / d
    if scales is not None:
        residuals = scale_rows(residuals, scales)
        squares = squared_norms(residuals)
        stops = scaled_stops(rule, stops, squares, scales)
    left = squares.copy()
    codes, work = empty_codes(n, width, residuals.dtype), Work.room_for(n, min(width, CAPACITY), d, residuals.dtype)
    row, fresh = np.empty(len(dictionary.atoms), residuals.dtype), np.empty(d)
    going = np.flatnonzero((left > stops) & (limits > 0))
    for step in range(width):
        if going.size == 0:
            break
        if step == work.along.shape[1]:
            work = Work.room_for(n, min(2 * step, width), d, residuals.dtype, work)
        c, on = residuals[going] @ dictionary.atoms.T, np.zeros(going.size, np.bool_)
        state = (residuals, *work, counts, left, codes["atom"])
        extend(going, c, inverse, known, dictionary.atoms, squares, tiny, row, *as_integers(row), *state, on, fresh)
        on &= (left[going] > stops[going]) & (counts[going] < limits[going])
        going = going[on]
    finish(work.lower, work.along, counts, codes["value"])
    return undo_scaling(codes, dictionary.lengths, scales)
