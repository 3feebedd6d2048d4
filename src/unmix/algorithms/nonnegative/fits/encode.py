"""The codes of rows for given components, and how well they tell the table.

Given U the problem of a row is convex; it is solved to the last digits, from zero and at a scale of its own, so that a
row has the same code whenever it is asked for, and whatever rows are asked about with it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.nonnegative import hals, missing
from unmix.algorithms.nonnegative.divergences import beta_codes, beta_divergence, kullback_leibler
from unmix.algorithms.nonnegative.divergences.divergence import divergence, ratio, reconstruction
from unmix.algorithms.nonnegative.fits.online_sums import surrogate_sums
from unmix.algorithms.nonnegative.loss import FROBENIUS, KULLBACK_LEIBLER
from unmix.algorithms.nonnegative.problem import Penalty
from unmix.algorithms.nonnegative.sparse_product import cross_products, times
from unmix.algorithms.nonnegative.table import is_sparse, row_scales, scaled
from unmix.core.blocks import RowBlocks
from unmix.core.linalg import power_of_two

LITTLE = 0.1  # share of the squares of sparse rows below which their errors are told in double precision


class Decoder(NamedTuple):
    """What a block needs: components of a safe size, ``factor`` times those of the caller, the penalty and the loss."""

    components: np.ndarray
    gram: np.ndarray
    penalty: Penalty  # in the units of the caller
    loss: float
    factor: float


class Quality(NamedTuple):
    """Of the scaled table, weighted: the divergence, and the sums from which components follow.

    Those are ZᵀZ and ZᵀX, for Kullback-Leibler diag(Zᵀ1) and U ∘ Zᵀ(X / ZU), for other losses those of online_sums.py;
    Z and U in the units of the decoder.
    """

    misfit: float
    codes: np.ndarray
    cross: np.ndarray


def decoder(components: np.ndarray, penalty: Penalty, loss: float) -> Decoder:
    factor = power_of_two(float(np.abs(components).max(initial=0.0)))
    safe = (components.astype(np.float64) * factor).astype(components.dtype)
    ridge = rescaled(penalty, loss, 1.0, factor).l2 if loss == FROBENIUS else 0.0
    return Decoder(safe, hals.gram_of(safe, ridge), penalty, loss, factor)


@np.errstate(over="ignore", under="ignore")
def rescaled(penalty: Penalty, loss: float, of_table: float, of_components: float) -> Penalty:
    """The penalty of codes that means the same once X and U are multiplied.

    Z is then multiplied by ``of_table / of_components`` and the loss by ``of_table^β``.
    """
    if not any(penalty):
        return penalty
    linear = penalty.l1 * np.float64(of_table) ** (loss - 1) * of_components
    return Penalty(float(linear), float(penalty.l2 * of_components**2 * np.float64(of_table) ** (loss - 2)))


def encode(X: RowBlocks, given: Decoder) -> np.ndarray:
    """Codes (n, k) in the precision of the table."""
    return X.map(encode_rows, given)


def encode_rows(block: Any, rows: Any, given: Decoder) -> np.ndarray:
    return in_units(*solve_rows(block, given), given.factor)


@np.errstate(over="ignore", under="ignore")
def in_units(codes: np.ndarray, scales: np.ndarray, unit: float) -> np.ndarray:
    """The codes found for rows times ``scales``, in another unit."""
    if unit == 1.0 and (scales == 1.0).all():
        return codes
    out: np.ndarray = (codes.astype(np.float64) / scales[:, None] * unit).astype(codes.dtype)
    return out


def solve_rows(block: Any, given: Decoder) -> tuple[np.ndarray, np.ndarray]:
    """Codes of the rows times their scales, and these; rows of one scale are solved together."""
    scales = row_scales(block)
    different = np.unique(scales)
    if len(different) == 1:
        return solve_alike(block, given, float(different[0])), scales
    codes = np.empty((block.shape[0], len(given.components)), given.components.dtype)
    for scale in different:
        alike = np.flatnonzero(scales == scale)
        codes[alike] = solve_alike(block[alike], given, float(scale))
    return codes, scales


def solve_alike(block: Any, given: Decoder, scale: float) -> np.ndarray:
    penalty = rescaled(given.penalty, given.loss, scale, given.factor)
    if given.loss == KULLBACK_LEIBLER:
        return kullback_leibler.solve_rows(block, given.components, penalty, scale)
    if given.loss != FROBENIUS:
        return beta_codes.solve_rows(block, given.components, penalty, scale, given.loss)
    if not is_sparse(block) and np.isnan(block).any():
        return missing.solve_rows(block, given.components, penalty, scale)
    turned = np.ascontiguousarray(given.components.T)
    return hals.solve_rows(block, given.gram, turned, penalty, scale)


def assess(X: RowBlocks, weights: np.ndarray | None, given: Decoder, scale: float) -> tuple[Any, Quality]:
    """Codes of all rows, where the pass leaves them, and the quality of the table times ``scale``."""
    rows = np.ones(X.shape[0]) if weights is None else weights
    found: tuple[Any, Quality] = X.step(assess_rows, rows, given, scale)
    return found


def assess_rows(block: Any, weights: np.ndarray, given: Decoder, scale: float) -> tuple[np.ndarray, Quality]:
    """What rows of weight 0 hold is in no sum."""
    found, scales = solve_rows(block, given)
    out = in_units(found, scales, given.factor)
    if not weights.all():
        counts = np.flatnonzero(weights)
        block, found, scales, weights = block[counts], found[counts], scales[counts], weights[counts]
    codes, entries = in_units(found, scales, scale), scaled(block, scale)
    misfit = float(weights @ errors(entries, codes, given))
    return out, Quality(misfit, *collect(entries, codes, weights, given))


def collect(entries: Any, codes: np.ndarray, weights: np.ndarray, given: Decoder) -> tuple[np.ndarray, np.ndarray]:
    double = codes.astype(np.float64)
    weighted = double * weights[:, None]
    entries = filled(entries, codes, given.components)
    if given.loss not in (FROBENIUS, KULLBACK_LEIBLER):
        return surrogate_sums(beta_divergence.dense(entries), codes, weighted, given.components, given.loss)
    if given.loss == KULLBACK_LEIBLER:
        parts = ratio(entries, reconstruction(entries, codes, given.components))
        pulled = cross_products(parts, weighted.astype(codes.dtype))
        return np.diag(weighted.sum(axis=0)), given.components * pulled
    return double.T @ weighted, cross_products(entries, weighted.astype(codes.dtype))


def filled(entries: Any, codes: np.ndarray, components: np.ndarray) -> Any:
    """Gaps hold their fitted values: the sums then bound the loss of the observed entries, and touch it here."""
    if is_sparse(entries) or not np.isnan(entries).any():
        return entries
    return np.where(np.isnan(entries), codes @ components, entries)


def errors(entries: Any, codes: np.ndarray, given: Decoder) -> np.ndarray:
    """The divergence of every row."""
    components = given.components
    if given.loss not in (FROBENIUS, KULLBACK_LEIBLER):
        return beta_divergence.row_divergence(beta_divergence.dense(entries), codes @ components, given.loss)
    if given.loss == KULLBACK_LEIBLER:
        return divergence(entries, reconstruction(entries, codes, components), codes, components)
    if is_sparse(entries):
        return sparse_errors(entries, codes, components)
    rest = entries - codes @ components
    out: np.ndarray = 0.5 * np.einsum("ij,ij->i", *(2 * [np.nan_to_num(rest, copy=False, nan=0.0)]), dtype=np.float64)
    return out


def sparse_errors(entries: Any, codes: np.ndarray, components: np.ndarray) -> np.ndarray:
    """½ (||x||² - 2 x·(z U) + z U Uᵀ zᵀ) of every row; x Uᵀ in double precision where little of ||x||² is left."""
    wide, double, values = components.astype(np.float64), codes.astype(np.float64), entries.data.astype(np.float64)
    squared = type(entries)((values**2, entries.indices, entries.indptr), shape=entries.shape)
    squares = np.asarray(squared.sum(axis=1)).reshape(-1)
    behind = np.einsum("ij,ij->i", double @ (wide @ wide.T), double)

    def rest(entries: Any) -> np.ndarray:
        images = times(entries, np.ascontiguousarray(wide.T.astype(entries.dtype)), len(wide))
        out: np.ndarray = 0.5 * np.maximum(squares - 2 * np.einsum("ij,ij->i", images, double) + behind, 0.0)
        return out

    found = rest(entries)
    cancelled = entries.dtype != np.float64 and found.sum() < LITTLE * squares.sum()
    return rest(entries.astype(np.float64)) if cancelled else found
