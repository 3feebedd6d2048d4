"""What costs of histograms share: the relative entropy of rows of counts to prototypes that are distributions.

    h_ic = (n_i / s) KL(p_i ‖ u_c),   p_i = x_i / n_i,   n_i = Σ_j x_ij

s is a unit, the mean n_i, so that temperatures are of the size of one. The entropies of the rows are a constant; the
cross entropies -Σ_j x_ij log u_cj are a product, also for sparse rows.
"""

from __future__ import annotations

from copy import copy
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array, hstack

TINY = 1e-300  # has a logarithm


class Stats(NamedTuple):
    """Counts and their number, for each cluster."""

    counts: np.ndarray
    mass: np.ndarray


class RelativeEntropy:
    """Base: a subclass says what prototypes (k, m) are the best. Blocks are dense or CSR counts."""

    def __init__(self, background: np.ndarray, unit: float) -> None:
        self.background, self.unit = background, unit

    carried = False  # whether rows have their entropy as one more column, so that no pass works it out again

    def carrying(self) -> RelativeEntropy:
        """The same cost of rows made by `carry_entropies`."""
        other = copy(self)
        other.carried = True
        return other

    def in_unit(self, factor: float) -> RelativeEntropy:
        """The same cost of counts that are multiplied by ``factor``."""
        other = copy(self)
        other.unit = self.unit * factor
        return other

    def total(self, data: Any, labels: np.ndarray) -> float:
        raise NotImplementedError

    def start(self, k: int = 1) -> np.ndarray:
        """k equal prototypes to begin from."""
        raise NotImplementedError

    def prototypes(self, stats: Stats, previous: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    def distances(self, block: Any, prototypes: np.ndarray) -> np.ndarray:
        """(rows, k): (n_i / s) KL(p_i ‖ u_k)."""
        if self.carried:
            factors = self.carried_factors(prototypes)
            # a row a cluster, as the marginals that follow want it
            h = np.asarray(block @ factors.T) if hasattr(block, "tocsr") else (factors @ block.T).T
        else:
            h = -np.asarray(block @ np.log(np.where(prototypes > 0, prototypes, 1.0)).T, np.float64)
            h -= entropies(block)[:, None]
        np.maximum(h, 0.0, out=h)
        h /= self.unit
        return h

    def carried_factors(self, prototypes: np.ndarray) -> np.ndarray:
        """(k, m + 1): products with rows that carry their entropies are s h."""
        logs = np.log(np.where(prototypes > 0, prototypes, 1.0))
        return -np.column_stack([logs, np.ones(len(logs))])

    def statistics(self, block: Any, q: np.ndarray, prototypes: np.ndarray) -> Stats:
        """Counts weighted by q (rows, k), in float64."""
        weights = np.asarray(q, np.float64)
        counts = np.asarray(block.T @ weights).T
        if self.carried:
            counts = counts[:, :-1]
        return Stats(np.ascontiguousarray(counts), counts.sum(axis=1))

    def perturbed(self, prototypes: np.ndarray, directions: np.ndarray, cost: np.ndarray) -> np.ndarray:
        """Along directions of sum zero, as far as KL allows and no entry loses more than half of itself."""
        seen = prototypes > 0
        move = np.where(seen, directions, 0.0)
        move = move - prototypes * move.sum(axis=1, keepdims=True)
        safe = np.where(seen, prototypes, 1.0)
        norm = np.sqrt((move * move / safe).sum(axis=1) / 2)  # KL ≈ norm²
        step = np.sqrt(cost) / np.where(norm > 0, norm, 1.0)
        steepest = (np.abs(move) / safe).max(axis=1)
        step = np.minimum(step, 0.5 / np.where(steepest > 0, steepest, 1.0))
        moved: np.ndarray = prototypes + step[:, None] * move
        return moved / moved.sum(axis=1, keepdims=True)

    def separation(self, prototypes: np.ndarray) -> np.ndarray:
        """KL(u_a ‖ u_b) + KL(u_b ‖ u_a), the cost of a row of mean size."""
        logs = np.log(np.where(prototypes > 0, prototypes, 1.0))
        cross = prototypes @ logs.T
        own = np.diag(cross)
        return np.maximum(own[:, None] + own - cross - cross.T, 0.0)  # type: ignore[no-any-return]


def carry_entropies(rows: Any) -> Any:
    """Rows (n, m) in float64 with one more column, their entropies."""
    own = entropies(rows)[:, None]
    if hasattr(rows, "tocsr"):
        return csr_array(hstack([csr_array(rows, dtype=np.float64), csr_array(own)], format="csr"))
    return np.hstack([rows, own])


def entropies(block: Any) -> np.ndarray:
    """-Σ_j x_ij log p_ij of every row.

    Rows are brought to a size near one by a power of two, so that counts in other such units have the same digits.
    """
    sparse = hasattr(block, "tocsr")
    values = np.asarray(block.data if sparse else block, np.float64)
    if sparse:
        rows = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
        sizes = np.bincount(rows, values, minlength=block.shape[0])
    else:
        sizes = values.sum(axis=1)
    factor = np.ldexp(1.0, np.clip(-np.frexp(sizes)[1], -1000, 1000))
    values = values * (factor[rows] if sparse else factor[:, None])
    own = np.maximum(values, TINY)  # where an entry is 0 so is its product
    np.log(own, out=own)  # in place: this is done in every pass
    own *= values
    own = np.bincount(rows, own, minlength=block.shape[0]) if sparse else own.sum(axis=1)
    sizes = sizes * factor
    return (sizes * np.log(np.where(sizes > 0, sizes, 1.0)) - own) / factor  # type: ignore[no-any-return]
