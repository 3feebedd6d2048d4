"""Sums over rows from which components follow under a divergence with β other than 1 and 2.

    A = U^a ∘ Zᵀ Y^(β-1),   B = U^b ∘ Zᵀ(X ∘ Y^(β-2)),   Y = Z U,     a = 0, b = 2 - β      for β < 1
                                                                      a = 1 - β, b = 2 - β  from 1 to 2
                                                                      a = 1 - β, b = 0      above 2

Each row's surrogate (loss.py), as a function of the new components V, has the slope A V^(-a) - B V^(-b), whatever U it
was made with: so surrogates of rows seen with different components add up, and V^(b-a) = B / A minimises their sum.

Lefèvre, Bach & Févotte, Online algorithms for nonnegative matrix factorization with the Itakura-Saito divergence, 2011.
"""

from __future__ import annotations

import numpy as np

from unmix.algorithms.nonnegative.divergences.beta_divergence import powers
from unmix.algorithms.nonnegative.loss import Rule
from unmix.algorithms.nonnegative.problem import Penalty
from unmix.algorithms.nonnegative.sparse_product import cross_products


def powers_of_components(loss: float) -> tuple[float, float]:
    """a and b, above."""
    return min(0.0, 1 - loss), max(0.0, 2 - loss)


def surrogate_sums(
    entries: np.ndarray, codes: np.ndarray, weighted: np.ndarray, components: np.ndarray, loss: float
) -> tuple[np.ndarray, np.ndarray]:
    """A and B of some rows, ``weighted`` being their codes times their weights."""
    low, high = powers(entries, codes @ components, loss)
    down, up = (cross_products(part, weighted.astype(codes.dtype)) for part in (low, high))
    a, b = powers_of_components(loss)
    double = components.astype(np.float64)
    return component_powers(double, a) * down, component_powers(double, b) * up


def update_by_sums(
    loss: float, down: np.ndarray, up: np.ndarray, components: np.ndarray, penalty: Penalty
) -> tuple[np.ndarray, float]:
    a, b = powers_of_components(loss)
    double = components.astype(np.float64)
    new = Rule(loss).moved(double, component_powers(double, -b) * up, component_powers(double, -a) * down, penalty)
    return new.astype(components.dtype), 0.0


def component_powers(components: np.ndarray, power: float) -> np.ndarray:
    """Powers of components; zero ones stay zero, whatever is asked of them."""
    return np.power(components, power, out=np.zeros_like(components), where=components > 0)
