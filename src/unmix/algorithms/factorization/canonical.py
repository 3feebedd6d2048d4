"""One form of a factorization among all that say the same: turned, ordered, signed.

Where both factors may be turned (Z R)(Rᵀ U) = Z U, the components become the principal directions of what the model
says; elsewhere those that tell most come first, unless a constraint is about their order.  Codes are found again by
the components afterwards.
"""

from __future__ import annotations

import numpy as np

from unmix.algorithms.factorization.encode import Quality
from unmix.algorithms.factorization.problem import Problem
from unmix.core.linalg import fix_signs


def canonical(problem: Problem, components: np.ndarray, quality: Quality, weight: float) -> np.ndarray:
    rules, k = problem.rules, len(components) - problem.rules.intercept
    U = components[:k].astype(np.float64)
    if k == 0 or not (rules.codes.exchanges(1) and problem.components.exchanges(0)):
        return components
    products = quality.products
    out = components.astype(np.float64)
    if rules.codes.rotates and problem.components.rotates:
        if rules.intercept and not rules.codes.shrinks:
            mean = quality.total / weight
            out[-1] += mean @ U
            products = products - weight * np.outer(mean, mean)
        out[:k] = turned(U, products, rescale=not (rules.codes.shrinks or problem.components.shrinks))
    else:
        strength = np.sqrt(np.maximum(np.diagonal(products), 0.0)) * np.sqrt((U**2).sum(axis=1))
        out[:k] = U[np.argsort(-strength, kind="stable")]
    if rules.codes.symmetric and problem.components.symmetric:
        out[:k] = fix_signs(out[:k])
    return out.astype(components.dtype)


def turned(U: np.ndarray, products: np.ndarray, rescale: bool) -> np.ndarray:
    """The principal directions of Z U, whose codes have the given products; of length one if ``rescale``."""
    values, vectors = np.linalg.eigh(products)
    root = vectors * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
    if rescale:
        directions: np.ndarray = np.linalg.svd(root @ U, full_matrices=False)[2]
        out = np.zeros_like(U)
        out[: len(directions)] = directions
        return out
    turned: np.ndarray = vectors[:, ::-1].T @ U  # where penalties are least, ZᵀZ and U Uᵀ have the same axes
    return turned
