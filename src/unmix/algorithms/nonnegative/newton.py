"""Steps of Newton's method for the codes of many rows at once: they end what sweeps over coordinates approach slowly.

    z ← z - H⁻¹ g over the coordinates that are not zero,
    g_c = Σ_j u_cj (y_j^(β-1) - x_j y_j^(β-2)),   H_cl = Σ_j u_cj u_lj [(β-1) y_j^(β-2) + (2-β) x_j y_j^(β-3)]

with y = z U, no further than nine tenths of the way to the first zero, and for rows alone whose objective it lowers.
Products are taken row by row: the bits of a row must not depend on the rows beside it, as in a product of matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from unmix.algorithms.nonnegative import beta_divergence
from unmix.algorithms.nonnegative.divergence import divergence, least, reconstruction
from unmix.algorithms.nonnegative.loss import KULLBACK_LEIBLER
from unmix.algorithms.nonnegative.missing import chunks
from unmix.algorithms.nonnegative.problem import Penalty
from unmix.algorithms.nonnegative.table import is_sparse
from unmix.algorithms.principal.latent_gaussian import pairs, unpack

NEGLIGIBLE = 1e-13  # of a curvature: added to it, so that like components have an inverse
REACH = 0.9  # of the way to the first coordinate that becomes zero
SWEEPS = 5  # over the coordinates to a step; more and more from the fourth on, which few rows still need
ROUNDS = 25  # of sweeps and a step, at most


def refine(
    rows: Any,
    codes: np.ndarray,
    components: np.ndarray,
    penalty: Penalty,
    loss: float,
    sweeps: Callable[[Any, np.ndarray, int], np.ndarray],
) -> None:
    """Solve for the codes of scaled rows, in place; ``sweeps`` improves some and says which still move."""
    going = np.arange(len(codes))
    for turn in range(ROUNDS):
        some, found = rows if turn == 0 else rows[going], codes[going]
        moving = np.flatnonzero(sweeps(some, found, SWEEPS * max(2 * turn - 5, 1)))
        codes[going] = found
        if not moving.size:
            return
        going, found = going[moving], found[moving]
        leap(some[moving], found, components, penalty, loss)
        codes[going] = found


def leap(rows: Any, codes: np.ndarray, components: np.ndarray, penalty: Penalty, loss: float) -> None:
    """One step for every row, in place."""
    for part in chunks(len(codes), *components.shape):
        old = codes[part].astype(np.float64)
        slope, hessian = derivatives(rows[part], codes[part], components, loss)
        new = step(old, slope + penalty.l1 + penalty.l2 * old, hessian, penalty.l2).astype(codes.dtype)
        before, after = (objective(rows[part], z, components, penalty, loss) for z in (codes[part], new))
        better = after < before
        codes[part][better] = new[better]


def by_row(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.asarray((left[:, None, :] @ right)[:, 0, :])


def told_by(rows: Any, codes: np.ndarray, components: np.ndarray) -> np.ndarray:
    return reconstruction(rows, codes, components) if is_sparse(rows) else by_row(codes, components)


@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def derivatives(rows: Any, codes: np.ndarray, components: np.ndarray, loss: float) -> tuple[np.ndarray, np.ndarray]:
    """First (n, k) and second (n, k, k) derivatives of the divergence, in double precision."""
    turned = np.ascontiguousarray(components.T, dtype=np.float64)
    told = told_by(rows, codes, components).astype(np.float64)
    if not is_sparse(rows):
        low, high = beta_divergence.powers(rows.astype(np.float64), told, loss)
        told = np.maximum(told, beta_divergence.least(told.dtype))
        bent = ((loss - 1) * low + (2 - loss) * high) / told
        return by_row(low - high, turned), unpack(by_row(bent, pairs(turned)), len(components))
    told = np.maximum(told, least(codes.dtype))
    high, bent = (
        type(rows)((rows.data / told**power, rows.indices, rows.indptr), shape=rows.shape) for power in (1, 2)
    )
    return turned.sum(axis=0) - high @ turned, unpack(bent @ pairs(turned), len(components))


@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def step(codes: np.ndarray, slope: np.ndarray, hessian: np.ndarray, ridge: float) -> np.ndarray:
    """Where the step leads; coordinates at zero, and those that no entry asks about, stay."""
    diagonal = np.arange(codes.shape[1])
    hessian[:, diagonal, diagonal] += ridge
    free = (codes > 0) & (hessian[:, diagonal, diagonal] > 0)
    hessian *= free[:, :, None] & free[:, None, :]
    hessian[:, diagonal, diagonal] *= 1 + NEGLIGIBLE
    hessian[:, diagonal, diagonal] += ~free
    change = np.linalg.solve(hessian, (slope * free)[:, :, None])[:, :, 0]
    shares = np.divide(REACH * codes, change, out=np.ones_like(codes), where=change > 0)
    return np.asarray(codes - np.minimum(shares.min(axis=1, keepdims=True), 1.0) * change)


@np.errstate(over="ignore", invalid="ignore")
def objective(rows: Any, codes: np.ndarray, components: np.ndarray, penalty: Penalty, loss: float) -> np.ndarray:
    """Of every row."""
    told = told_by(rows, codes, components)
    if loss == KULLBACK_LEIBLER:
        misfit = divergence(rows, told, codes, components)
    else:
        misfit = beta_divergence.row_divergence(rows, told, loss)
    double = codes.astype(np.float64)
    return np.asarray(misfit + (double * (penalty.l1 + 0.5 * penalty.l2 * double)).sum(axis=1))
