"""Signals known in part, coded by what is known of them: those that lack the same entries are coded together.

    min ½ ||M (x - z U)||² + alpha Σ|z|,   or matching pursuit with atoms M u at length one,   M = 1 where x is known

Atoms of which hardly anything is seen are left out of a pursuit, which would give them any coefficient.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from unmix.algorithms.sparse_codes.codes import empty_codes
from unmix.algorithms.sparse_codes.dictionary import Dictionary, prepare
from unmix.algorithms.sparse_codes.lasso import Price, lasso_block
from unmix.algorithms.sparse_codes.masked import LEAST_SEEN
from unmix.algorithms.sparse_codes.matching_pursuit import mp_block
from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit import Rule


def gappy_lasso_block(block: np.ndarray, rows: Any, dictionary: Dictionary, price: Price) -> np.ndarray:
    """As `lasso_block`, of signals with NaN where they are not known."""

    def code(known: np.ndarray, signals: np.ndarray) -> np.ndarray:
        atoms = np.ascontiguousarray(dictionary.atoms[:, known])
        return lasso_block(signals, None, Dictionary(atoms, dictionary.lengths, atoms @ atoms.T), price)

    if not np.isnan(block.sum(axis=1)).any():
        return lasso_block(block, rows, dictionary, price)
    return code_patterns(block, code, np.zeros((len(block), len(dictionary.atoms)), dictionary.atoms.dtype))


def gappy_mp_block(block: np.ndarray, rows: Any, dictionary: Dictionary, rule: Rule) -> np.ndarray:
    """As `mp_block`, of signals with NaN; the error allowed falls with the number of known entries."""

    def code(known: np.ndarray, signals: np.ndarray) -> np.ndarray:
        atoms = dictionary.atoms[:, known].astype(np.float64)
        seen = (atoms * atoms).sum(axis=1) > LEAST_SEEN
        part = prepare(np.where(seen[:, None], atoms, 0.0), dictionary.atoms.dtype)
        part = part._replace(lengths=part.lengths * dictionary.lengths)
        return mp_block(signals, None, part, rule._replace(stop=rule.stop * known.mean()))

    if not np.isnan(block.sum(axis=1)).any():
        return mp_block(block, rows, dictionary, rule)
    return code_patterns(block, code, empty_codes(len(block), rule.n_nonzero, dictionary.atoms.dtype))


def code_patterns(block: np.ndarray, code: Callable[..., np.ndarray], codes: np.ndarray) -> np.ndarray:
    """Fill in the codes of all signals of which something is known."""
    for known, some in patterns(~np.isnan(block)):
        if known.any():
            codes[some] = code(known, np.ascontiguousarray(block[np.ix_(some, known)]))
    return codes


def patterns(known: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Every pattern of known entries, and the signals that have it."""
    packed = np.packbits(known, axis=1)
    group = np.unique(packed, axis=0, return_inverse=True)[1].reshape(-1)
    order = np.argsort(group, kind="stable")
    for some in np.split(order, np.cumsum(np.bincount(group))[:-1]):
        yield known[some[0]], some
