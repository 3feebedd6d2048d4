"""Codes with a price on size: the convex relative of a limit on the number of non-zeros.

    minimise ½ ||x - z U||² + alpha Σ_k |z_k|

exactly, by a set of atoms that grows and shrinks until |<r, u_k>| ≤ alpha for all, with equality inside the set.
Tibshirani, Journal of the Royal Statistical Society B 58, 1996; Lee, Battle, Raina & Ng, NIPS 2006.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.sparse_codes.dictionary import Dictionary, squared_norms
from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit import SIGNALS, rounding
from unmix.algorithms.sparse_codes.range import in_unit, row_scales, scale_rows
from unmix.core.linalg import power_of_two

EXTREME = {np.dtype(np.float32): 1e12, np.dtype(np.float64): 1e100}  # entries of atoms whose products are no numbers


class Price(NamedTuple):
    """What a unit of a code costs, whether codes may be negative, and what to do about those that took too many steps.

    `unfinished` is told how many.
    """

    alpha: float
    positive: bool = False
    max_steps: int | None = None
    unfinished: Callable[[int], None] | None = None

    def steps(self, n_atoms: int) -> int:
        enough = 10 * n_atoms + 100
        return enough if self.max_steps is None else min(enough, self.max_steps)


def lasso_block(block: Any, rows: Any, dictionary: Dictionary, price: Price) -> np.ndarray:
    """Dense codes (m, k) of the signals of a block; `dictionary` is that of `unnormalised`.

    A signal times c and atoms times s, at the price c s alpha, have the code times c / s.
    """
    from unmix.algorithms.sparse_codes.lasso_kernel import solve_lasso_rows

    codes = np.zeros((block.shape[0], len(dictionary.atoms)), dictionary.atoms.dtype)
    rank, unit = min(dictionary.atoms.shape), float(dictionary.lengths[0])
    room = room_for(rank, len(dictionary.atoms), codes.dtype)
    scales = row_scales(block, squared_norms(block))
    block = block if scales is None else scale_rows(block, scales)
    steps, unfinished = price.steps(len(dictionary.atoms)), 0
    alphas = np.full(block.shape[0], price.alpha / unit) * (1.0 if scales is None else scales)
    for start in range(0, block.shape[0], SIGNALS):
        part = slice(start, start + SIGNALS)
        correlations = np.ascontiguousarray(block[part] @ dictionary.atoms.T)
        prices = alphas[part], price.positive, steps, rounding(codes.dtype)
        unfinished += solve_lasso_rows(correlations, dictionary.gram, rank, *prices, codes[part], *room)
    if unfinished and price.unfinished is not None:
        price.unfinished(unfinished)
    if scales is None and unit == 1.0:
        return codes
    return (codes / (unit if scales is None else unit * scales[:, None])).astype(codes.dtype)


def room_for(rank: int, k: int, dtype: Any) -> tuple[np.ndarray, ...]:
    """For the active set of one signal, filled up to a multiple of four: its system, codes, atoms, and correlations."""
    size = rank + 5
    system = np.zeros((size, size)), np.zeros(size), np.zeros(size), np.zeros(size)
    return *system, np.zeros(size, np.int64), np.zeros(size, dtype), np.zeros(k, dtype), np.zeros(k, np.bool_)


def unnormalised(atoms: np.ndarray) -> Dictionary:
    """The lasso prices entries of z, so the lengths of atoms matter and stay; a common unit is set aside."""
    largest = float(np.abs(atoms).max())
    safe = 1 / EXTREME[atoms.dtype] <= largest <= EXTREME[atoms.dtype]
    scale = 1.0 if safe else power_of_two(largest)
    atoms = in_unit(atoms, scale)
    return Dictionary(atoms, np.full(len(atoms), 1 / scale), atoms @ atoms.T)
