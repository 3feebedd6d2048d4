"""Tables without groups of units that were measured again and again, as countries by year.

x_ref = level_u + s_u (x - mean_u),   levels drawn like `uniform_reference` of the units' means, s_u = ±1

The rows of a unit stay together: what lies between units is what the levels leave between them, and there are no more
independent levels than units.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unmix.validation.evidence.references.reference import Reference, uniform_reference


@dataclass(frozen=True)
class UnitReference:
    """Makes references for rows of `X`, of which `units[i]` tells whose row i is, counted from 0."""

    X: np.ndarray
    units: np.ndarray

    def __call__(self, X: np.ndarray) -> Reference:
        means = unit_means(self.X, self.units)
        within, draw = self.X - means[self.units], uniform_reference(means)

        def table(rng: np.random.Generator) -> np.ndarray:
            signs = rng.choice([-1.0, 1.0], len(means))
            rows = draw(rng)[self.units] + signs[self.units, None] * within
            n = len(rows)
            chosen = rows if len(X) == n else rows[np.sort(rng.choice(n, len(X), replace=len(X) > n))]
            return chosen.astype(X.dtype, copy=False)

        return table


def unit_means(X: np.ndarray, units: np.ndarray) -> np.ndarray:
    """(number of units, d)"""
    return np.stack([np.bincount(units, column) for column in X.T], axis=1) / np.bincount(units)[:, None]
