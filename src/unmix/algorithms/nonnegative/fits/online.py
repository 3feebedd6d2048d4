"""Non-negative factorization of rows that come a few at a time, from sums that stand for all rows seen.

    Frobenius          A += ZᵀZ,   B += ZᵀX               U ← non-negative least squares on A and B
    Kullback-Leibler   A += Zᵀ1,   B += U ∘ Zᵀ(X / ZU)    U ← B / A, the minimum of the sum of all surrogates so far
    other β            A and B of online_sums.py          U ← (B / A)^(1/p), the same

over the new rows, coded by the components so far.  Sums of the new rows are taken again after each of a few updates of
U.  Entries that were not observed are taken as fitted (ZU) by the components at hand.  Codes that were found with worse
components fade: before rows are added, sums are multiplied by (share of the rows seen that are old)^3.

Mairal, Bach, Ponce & Sapiro, Online learning for matrix factorization and sparse coding, JMLR 11, 2010; Lefèvre, Bach &
Févotte, Online algorithms for nonnegative matrix factorization with the Itakura-Saito divergence, WASPAA 2011.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from unmix.algorithms.nonnegative.fits.encode import Decoder, Quality, assess, decoder, rescaled
from unmix.algorithms.nonnegative.fits.online_sums import powers_of_components, update_by_sums
from unmix.algorithms.nonnegative.hals import update_components
from unmix.algorithms.nonnegative.loss import FROBENIUS, KULLBACK_LEIBLER, quadratic_root
from unmix.algorithms.nonnegative.problem import Penalty
from unmix.core.blocks import RowBlocks

ROUNDS, FADING = 3, 3
GAP_ROUNDS = 30  # what fills the gaps and the components follow each other slowly


class OnlineSums(NamedTuple):
    """Sums A and B over the rows seen, of the table times ``scale`` and codes in units of ``√scale``.

    ``rows`` is the weight of all rows seen, ``weight`` what has not faded of it.
    """

    codes: np.ndarray
    cross: np.ndarray
    weight: float
    rows: float
    scale: float

    def faded(self, new: float) -> OnlineSums:
        share = (self.rows / (self.rows + new)) ** FADING
        return self._replace(codes=self.codes * share, cross=self.cross * share, weight=self.weight * share)

    def at(self, scale: float, loss: float) -> OnlineSums:
        """The same sums of the table times another scale."""
        root = np.sqrt(np.float64(scale)) / np.sqrt(np.float64(self.scale))  # exact: scales are powers of four
        if loss == FROBENIUS:
            return self._replace(codes=self.codes * root**2, cross=self.cross * root**3, scale=scale)
        of_codes, of_cross = (root ** (power + 2 * loss - 1) for power in powers_of_components(loss))
        return self._replace(codes=self.codes * of_codes, cross=self.cross * of_cross, scale=scale)


def online_updates(
    X: RowBlocks,
    weights: np.ndarray | None,
    components: np.ndarray,
    seen: OnlineSums,
    alphas: tuple[Penalty, Penalty],
    loss: float,
    scale: float,
    gaps: bool = False,
) -> tuple[np.ndarray, OnlineSums]:
    """Better components, and the sums with the new rows; penalties are those of one row, and of a unit of weight.

    ``scale`` is what the new rows need; the sums go over to it where these are the largest so far.
    """
    seen = seen.at(scale, loss) if scale < seen.scale or not seen.cross.any() else seen
    root = float(np.sqrt(seen.scale))
    new = float(X.shape[0] if weights is None else weights.sum())
    seen, total, rows = seen.faded(new), seen.faded(new).weight + new, seen.rows + new
    penalty = Penalty(*(part * total for part in rescaled(alphas[1], loss, seen.scale, root)))
    update = UPDATES.get(loss) or partial(update_by_sums, loss)
    codes, cross = seen.codes, seen.cross
    for _ in range(GAP_ROUNDS if gaps else ROUNDS):
        given = decoder(components, alphas[0], loss)
        new_codes, new_cross = sums_of(assess(X, weights, given, seen.scale)[1], given, seen.scale)
        codes, cross = seen.codes + new_codes, seen.cross + new_cross
        inner, _ = update(codes, cross, (components * root).astype(components.dtype), penalty)
        components = (inner / root).astype(components.dtype)
    return components, OnlineSums(codes, cross, total, rows, seen.scale)


def sums_of(quality: Quality, given: Decoder, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """A and B with codes in units of √scale."""
    unit = given.factor / float(np.sqrt(scale))
    if given.loss == FROBENIUS:
        return quality.codes * unit**2, quality.cross * unit
    of_codes, of_cross = (unit ** (1 - power) for power in powers_of_components(given.loss))
    return quality.codes * of_codes, quality.cross * of_cross


def update_by_surrogate(
    codes: np.ndarray, cross: np.ndarray, components: np.ndarray, penalty: Penalty
) -> tuple[np.ndarray, float]:
    """The root of l2 u² + (A + l1) u = B."""
    rate = np.diag(codes)[:, None] + penalty.l1
    return quadratic_root(np.ones_like(cross), cross, rate, penalty.l2).astype(components.dtype), 0.0


UPDATES: dict[float, Callable[..., tuple[np.ndarray, float]]] = {
    FROBENIUS: update_components,
    KULLBACK_LEIBLER: update_by_surrogate,
}


def no_sums(k: int, d: int, scale: float, loss: float) -> OnlineSums:
    return OnlineSums(np.zeros((k, k if loss in UPDATES else d)), np.zeros((k, d)), 0.0, 0.0, scale)
