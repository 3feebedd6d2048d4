"""Neighbours alike: vectors that change slowly along an order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from unmix.constraints.base import Constraint, Step, common_step
from unmix.core.arguments import one_of, zero_or_more
from unmix.optimize.norm import in_units

LARGEST_PRICE = 1e300  # of a step: infinity times the bend of a constant, 0, would be no number
JITTER = 1e-12  # of the mean diagonal: a vector that nothing is known of becomes 0


@dataclass(frozen=True)
class Smooth(Constraint):
    """Pay ½ λ Σ_j (v_{j+1} - v_j)² + ½ ρ ‖v‖²: components along time, wavelength or place, codes along the rows.

        prox(v) = (I + t λ L + t ρ I)⁻¹ v

    L, the second differences with free ends, has the cosines as eigenvectors: L = Cᵀ diag(2 - 2 cos(π j / k)) C with
    the discrete cosine transform C.  So vectors with steps of their own cost no more than with one step for all.

    Parameters
    ----------
    strength : float, default=1.0
        λ, 0 or more.
    order : {"columns", "rows"}, default="columns"
        Neighbours are the entries of a vector, or the vectors one below the other (then the scope is the matrix).
    ridge : float, default=0.0
        ρ, 0 or more. Without it a constant pays nothing, however large: then the other factor must be bounded.

    References
    ----------
    Whittaker, Proc. Edinburgh Mathematical Society 41, 1923; Strang, SIAM Review 41, 1999.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.constraints import Smooth
    >>> Smooth(1.0).prox(np.array([[0.0, 3.0]]), 1.0)
    array([[1., 2.]])
    """

    strength: float = 1.0
    order: str = "columns"
    ridge: float = 0.0
    name: ClassVar[str] = "smooth"

    def __post_init__(self) -> None:
        zero_or_more("strength", self.strength)
        one_of("order", self.order, ("columns", "rows"))
        zero_or_more("ridge", self.ridge)

    @property
    def scope(self) -> str:
        return "vector" if self.order == "columns" else "matrix"

    @property
    def shrinks(self) -> bool:
        return self.strength > 0 or self.ridge > 0

    @property
    def holds(self) -> bool:
        return self.ridge > 0

    def prox(self, V: np.ndarray, step: Step) -> np.ndarray:
        if self.order == "rows":
            return np.ascontiguousarray(self._along(V.T, common_step(step)).T)
        return self._along(V, step)

    def _along(self, V: np.ndarray, step: Step) -> np.ndarray:
        """The proximal map of every row of V."""
        from scipy.fft import dct, idct

        k = V.shape[1]
        if V.size == 0:
            return V.copy()
        bends = 4 * np.sin(np.pi * np.arange(k) / (2 * k)) ** 2  # = 2 - 2 cos(π j / k), without cancellation
        small, unit, _ = in_units(V, axis=1)
        with np.errstate(over="ignore"):
            prices, held = (
                np.minimum(strength * np.asarray(step, np.float64), LARGEST_PRICE)
                for strength in (self.strength, self.ridge)
            )
        waves = dct(small, axis=1, norm="ortho") / (1 + prices * bends + held)
        return (unit * idct(waves, axis=1, norm="ortho")).astype(V.dtype)

    def penalty(self, V: np.ndarray) -> np.ndarray:
        changes = np.diff(np.asarray(V, np.float64, order="C"), axis=1 if self.order == "columns" else 0)
        size = self.ridge / 2 * np.square(np.asarray(V, np.float64)).sum(axis=1) if self.ridge else np.zeros(len(V))
        if self.order == "rows":
            total = self.strength / 2 * np.square(changes).sum() + size.sum()
            return np.full(len(V), total / max(len(V), 1))
        return self.strength / 2 * np.square(changes).sum(axis=1) + size

    def violation(self, V: np.ndarray) -> float:
        return 0.0

    def exchanges(self, axis: int) -> bool:
        return axis != (1 if self.order == "columns" else 0)

    def solve(self, gram: np.ndarray, cross: np.ndarray, V: np.ndarray) -> np.ndarray | None:
        """(G + λ L + ρ I)⁻¹ c; the smallest one where the equations leave a choice."""
        if self.order == "rows":
            return None
        k = V.shape[1]
        differences = np.diff(np.eye(k), axis=0)
        full = gram.astype(np.float64) + self.strength * (differences.T @ differences) + self.ridge * np.eye(k)
        size = np.trace(full, axis1=1, axis2=2) / k
        full += (JITTER * np.where(size > 0, size, 1.0))[:, None, None] * np.eye(k)
        if len(full) == 1:
            return np.linalg.solve(full[0], cross.T.astype(np.float64)).T
        return np.linalg.solve(full, cross[:, :, None].astype(np.float64))[:, :, 0]
