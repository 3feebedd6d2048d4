"""What a factorization is given, carries and measures.

    minimise  Σ_i w_i [ Σ_j v_ij f_j loss_j(x_ij, z_i·U_j + b_j) + penalty(z_i) ] + penalty(U)

over codes Z and components U in their constraints; v_ij is 0 where a cell was not observed.  The intercept b, where
there is one, is the last row of the matrix ``components``, and the codes have a last column of ones beside it that
is never stored.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.factorization.design import Design
from unmix.constraints.base import Constraint
from unmix.core.blocks import RowBlocks


class Rules(NamedTuple):
    """What a block must know besides the components; small, and the same in every pass."""

    design: Design
    codes: Constraint
    intercept: bool
    full: bool  # every cell observed, all losses quadratic: one matrix for all rows
    weighted: bool
    entries: bool  # cells have weights of their own
    zeros: bool  # what a sparse table does not store is 0, not unknown
    noise: np.ndarray | None = None  # of the columns of the model, where codes have a normal law

    @property
    def together(self) -> bool:
        """Whether the constraint binds the codes of all rows: then no block can move its own, or say what they pay."""
        return self.codes.scope == "matrix"

    def pays(self, codes: np.ndarray) -> np.ndarray:
        """What each row of a block pays for its code."""
        return np.zeros(len(codes)) if self.together else self.codes.penalty(codes)


class Problem(NamedTuple):
    X: RowBlocks
    rules: Rules
    components: Constraint
    weights: np.ndarray | None = None
    entry_weights: np.ndarray | None = None
    tol: float = 1e-6
    squares: float = 0.0  # of the targets, weighted, where all cells are full
    floor: float = 0.0  # an objective below which gains are compared with this

    def rows(self, codes: Any) -> Any:
        """Codes and weights, as blocks get them."""
        others = [array for array in (self.weights, self.entry_weights) if array is not None]
        return (codes, *others) if others else codes

    def penalty(self, codes: Any, components: np.ndarray) -> float:
        """What blocks do not count: the penalty of the components, and of codes that pay together."""
        kept = components[:-1] if self.rules.intercept else components
        paid = float(self.components.penalty(kept).sum()) if len(kept) else 0.0
        return paid + float(self.rules.codes.penalty(np.asarray(codes)).sum()) if self.rules.together else paid


class Given(NamedTuple):
    """Of one block: codes, weights of rows (ones where none were given), weights of cells."""

    codes: np.ndarray
    weights: np.ndarray
    entries: np.ndarray | None


def unpack_rows(rows: Any, rules: Rules) -> Given:
    parts = list(rows) if isinstance(rows, tuple) else [rows]
    codes = parts.pop(0)
    weights = parts.pop(0) if rules.weighted else np.ones(len(codes))
    return Given(codes, weights, parts.pop(0) if rules.entries else None)


def counted(block: Any, weights: np.ndarray) -> Any:
    """The block with zeros in rows without weight, whose cells may be anything, even too large to be squared."""
    absent = weights == 0
    if not absent.any():
        return block
    out = block.copy()
    if hasattr(block, "tocsr"):
        out.data[np.repeat(absent, np.diff(block.indptr))] = 0
    else:
        out[absent] = 0
    return out


def weighed(weights: np.ndarray, cost: np.ndarray) -> float:
    """Σ_i w_i cost_i; a row without weight may cost anything, also infinitely much."""
    return float(weights @ (cost if np.isfinite(cost).all() else np.where(weights > 0, cost, 0.0)))


class Statistics(NamedTuple):
    """Sums over rows: the objective before and after the codes moved, and what the components need.

    ``products`` holds Σ w bend z zᵀ for each column of the model (or once for all), each pair of entries once, and
    ``pull`` Σ w (bend m - slope) zᵀ; z with a last entry 1 where there is an intercept.
    """

    entering: float
    leaving: float
    products: np.ndarray
    pull: np.ndarray


def with_ones(codes: np.ndarray, intercept: bool) -> np.ndarray:
    return np.column_stack([codes, np.ones(len(codes), codes.dtype)]) if intercept else codes


def split_components(components: np.ndarray, intercept: bool) -> tuple[np.ndarray, np.ndarray]:
    """U and b."""
    if intercept:
        return components[:-1], components[-1]
    return components, np.zeros(components.shape[1], components.dtype)
