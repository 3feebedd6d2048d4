"""The codes of rows for given components, and how well they tell the table.

Given U the problem of a row is convex; it is solved to the last digits, from zero, so that a row has the same code
whenever it is asked for.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.core.blocks import RowBlocks
from unmix.core.linalg import power_of_two
from unmix.factors.nonnegative import hals, kullback_leibler, missing
from unmix.factors.nonnegative.divergence import divergence, ratio, told
from unmix.factors.nonnegative.problem import Penalty
from unmix.factors.nonnegative.table import is_sparse, scaled


class Decoder(NamedTuple):
    """What a block needs: components of a safe size, the penalty, the loss, and how to scale entries and codes."""

    components: np.ndarray
    gram: np.ndarray
    penalty: Penalty
    loss: str
    scale: float  # of the entries
    unit: float  # of the codes found, in those of the caller


class Quality(NamedTuple):
    """Of the scaled table, weighted: the divergence, and the sums from which components follow.

    Those are ZᵀZ and ZᵀX, or for Kullback-Leibler diag(Zᵀ1) and U ∘ Zᵀ(X / ZU).
    """

    misfit: float
    codes: np.ndarray
    cross: np.ndarray


def decoder(components: np.ndarray, penalty: Penalty, loss: str, scale: float) -> Decoder:
    factor = power_of_two(float(np.abs(components).max(initial=0.0)))
    safe = (components.astype(np.float64) * factor).astype(components.dtype)
    inner = rescaled(penalty, loss, scale, factor)
    return Decoder(safe, hals.gram_of(safe, inner.l2), inner, loss, scale, factor / scale)


@np.errstate(over="ignore", under="ignore")
def rescaled(penalty: Penalty, loss: str, of_table: float, of_components: float) -> Penalty:
    """The penalty of codes that means the same once X and U are multiplied.

    Z is then multiplied by ``of_table / of_components`` and the loss by ``of_table²``, or for KL ``of_table``.
    """
    if not any(penalty):
        return penalty
    if loss == "frobenius":
        return Penalty(penalty.l1 * of_table * of_components, penalty.l2 * of_components**2)
    return Penalty(penalty.l1 * of_components, penalty.l2 * of_components**2 / of_table)


def encode(X: RowBlocks, given: Decoder) -> np.ndarray:
    """Codes (n, k) in the precision of the table."""
    return X.map(encode_rows, given)


def encode_rows(block: Any, rows: Any, given: Decoder) -> np.ndarray:
    return in_units(solve_rows(block, given), given)


def in_units(codes: np.ndarray, given: Decoder) -> np.ndarray:
    out: np.ndarray = codes if given.unit == 1.0 else (codes.astype(np.float64) * given.unit).astype(codes.dtype)
    return out


def solve_rows(block: Any, given: Decoder) -> np.ndarray:
    if given.loss != "frobenius":
        return kullback_leibler.solve_rows(block, given.components, given.penalty, given.scale)
    if not is_sparse(block) and np.isnan(block).any():
        return missing.solve_rows(block, given.components, given.penalty, given.scale)
    turned = np.ascontiguousarray(given.components.T)
    return hals.solve_rows(block, given.gram, turned, given.penalty, given.scale)


def assess(X: RowBlocks, weights: np.ndarray | None, given: Decoder) -> tuple[np.ndarray, Quality]:
    """Codes and quality of all rows, in one pass."""
    rows = np.ones(X.shape[0]) if weights is None else weights
    codes, quality = X.step(assess_rows, rows, given)
    return np.asarray(codes), quality


def assess_rows(block: Any, weights: np.ndarray, given: Decoder) -> tuple[np.ndarray, Quality]:
    codes, entries = solve_rows(block, given), scaled(block, given.scale)
    misfit = float(weights @ errors(entries, codes, given))
    return in_units(codes, given), Quality(misfit, *collect(entries, codes, weights, given))


def collect(entries: Any, codes: np.ndarray, weights: np.ndarray, given: Decoder) -> tuple[np.ndarray, np.ndarray]:
    double = codes.astype(np.float64)
    weighted = double * weights[:, None]
    entries = filled(entries, codes, given.components)
    if given.loss != "frobenius":
        parts = ratio(entries, told(entries, codes, given.components))
        pulled = hals.cross_products(parts, weighted.astype(codes.dtype))
        return np.diag(weighted.sum(axis=0)), given.components * pulled
    return double.T @ weighted, hals.cross_products(entries, weighted.astype(codes.dtype))


def filled(entries: Any, codes: np.ndarray, components: np.ndarray) -> Any:
    """Gaps hold what is told of them: the sums then bound the loss of the observed entries, and touch it here."""
    if is_sparse(entries) or not np.isnan(entries).any():
        return entries
    return np.where(np.isnan(entries), codes @ components, entries)


def errors(entries: Any, codes: np.ndarray, given: Decoder) -> np.ndarray:
    """The divergence of every row."""
    components = given.components
    if given.loss != "frobenius":
        return divergence(entries, told(entries, codes, components), codes, components)
    if is_sparse(entries):  # ||x||² - 2 x·(z U) + z U Uᵀ zᵀ
        wide, double = components.astype(np.float64), codes.astype(np.float64)
        squares = np.asarray(entries.astype(np.float64).power(2).sum(axis=1)).reshape(-1)
        ahead = np.einsum("ij,ij->i", np.asarray(entries @ np.ascontiguousarray(wide.T)), double)
        behind = np.einsum("ij,ij->i", double @ (wide @ wide.T), double)
        return 0.5 * np.maximum(squares - 2 * ahead + behind, 0.0)
    rest = entries - codes @ components
    out: np.ndarray = 0.5 * np.einsum("ij,ij->i", *(2 * [np.nan_to_num(rest, copy=False, nan=0.0)]), dtype=np.float64)
    return out
