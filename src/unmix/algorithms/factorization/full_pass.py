"""One pass over a table that is full, with quadratic losses: X ≈ Z U in least squares, columns weighted by f.

    Z ← better codes for  U F Uᵀ  and  (T - b) F Uᵀ,     products = Σ w z zᵀ,   pull = Σ w z t

One k×k matrix serves all rows, and one all columns; a pass costs 4 n d k operations.  The objective follows from these
sums and ‖T‖², so no residual is ever formed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.factorization.problem import Rules, Statistics, counted, split_components, unpack_rows, with_ones
from unmix.algorithms.factorization.quadratic import improve


def full_pass(
    block: Any, rows: Any, rules: Rules, components: np.ndarray, effort: int
) -> tuple[np.ndarray, Statistics]:
    """New codes, and the sums that the components need; ``effort`` 0 leaves the codes as they are."""
    given = unpack_rows(rows, rules)
    targets = rules.design.targets(counted(block, given.weights))
    gram, cross = code_problem(targets, rules, components)
    codes = given.codes
    before = float(given.weights @ code_cost(rules, gram, cross, codes))
    if effort:
        codes = improve(rules.codes, gram, cross, codes, effort)
    after = float(given.weights @ code_cost(rules, gram, cross, codes)) if effort else before
    long = with_ones(codes, rules.intercept).astype(np.float64)
    weighted = long * given.weights[:, None]
    products = pairs_of(long.T @ weighted)
    pull = np.asarray((targets.T @ weighted.astype(targets.dtype)).T, dtype=np.float64)
    return codes, Statistics(before, after, products[None], pull * rules.design.factors)


def code_problem(targets: Any, rules: Rules, components: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    U, b = split_components(components, rules.intercept)
    heavy = (U * rules.design.factors).astype(U.dtype)
    gram = (heavy.astype(np.float64) @ U.T.astype(np.float64))[None]
    cross = np.asarray(targets @ heavy.T.astype(targets.dtype)) - (heavy @ b).astype(targets.dtype)
    return gram, cross


def code_cost(rules: Rules, gram: np.ndarray, cross: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """What rows cost, but for a part that does not depend on their codes."""
    fit: np.ndarray = np.einsum("ij,ij->i", codes @ (0.5 * gram[0]) - cross, codes)
    return fit + rules.pays(codes)


def pairs_of(matrix: np.ndarray) -> np.ndarray:
    """The upper triangle of a symmetric matrix, as `pairs` orders it."""
    i, j = np.triu_indices(len(matrix))
    packed: np.ndarray = matrix[i, j]
    return packed
