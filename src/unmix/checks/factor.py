"""A constraint on a factor under examination: every call of it is watched, and answers of another kind are refused."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.checks.evidence import Unchanged, require

STEPS = (0.0, 0.3, 1.5)
SIZES = (0.0, 1e-8, 1.0, 1e8, 1e100)
MET = {np.float64: 1e-10, np.float32: 1e-6}  # violation that rounding may leave
SLACK = 1e-6  # by which a point may be better


class Part(NamedTuple):
    """A constraint under examination, and a matrix like the factor it is for."""

    constraint: Any
    V: np.ndarray
    seed: int

    @property
    def rng(self) -> np.random.Generator:
        return np.random.default_rng(self.seed)

    @property
    def name(self) -> str:
        return type(self.constraint).__name__

    def matrices(self) -> list[np.ndarray]:
        """Matrices of several kinds: all signs, large and small, positive ones, another draw."""
        other = self.rng.normal(size=self.V.shape)
        return [self.V, 0.1 * self.V, np.abs(other), 5 * other, 300 * other]

    def of_other_shapes(self) -> list[Part]:
        """Longer vectors and vectors of one entry, unless the constraint refuses them as it has a size of its own."""
        found = []
        for shape in ((3, self.V.shape[1] + 3), (4, 1)):
            try:
                self.constraint.prox(np.zeros(shape), 0.0)
            except (ValueError, IndexError):
                continue
            found.append(self._replace(V=1.5 * self.rng.normal(size=shape)))
        return found

    def prox(self, V: np.ndarray, step: Any) -> np.ndarray:
        """The answer of the map, examined for what every answer must be."""
        with Unchanged(f"{self.name}.prox", V=V, step=step):
            W = self.constraint.prox(V, step)
        require(isinstance(W, np.ndarray), f"{self.name}.prox returns a {type(W).__name__}, expected an array")
        require(W.shape == V.shape, f"{self.name}.prox returns shape {W.shape} for a matrix of shape {V.shape}")
        require(W.dtype == V.dtype, f"{self.name}.prox returns {W.dtype} for {V.dtype}: keep the precision")
        require(np.isfinite(W).all(), f"{self.name}.prox returns NaN or infinity")
        require(not np.shares_memory(W, V), f"{self.name}.prox returns the memory of V; return a copy")
        return W

    def penalty(self, V: np.ndarray) -> np.ndarray:
        with Unchanged(f"{self.name}.penalty", V=V):
            paid = np.asarray(self.constraint.penalty(V))
        words = f"{self.name}.penalty has shape {paid.shape} for {len(V)} vectors, expected one number for each"
        require(paid.shape == (len(V),), words)
        require(np.isfinite(paid).all(), f"{self.name}.penalty is NaN or infinite for a finite matrix")
        return paid

    def violation(self, V: np.ndarray) -> float:
        with Unchanged(f"{self.name}.violation", V=V):
            found = self.constraint.violation(V)
        require(np.ndim(found) == 0 and found >= 0, f"{self.name}.violation is {found!r}, expected a number from 0 up")
        return float(found)

    def points(self) -> list[np.ndarray]:
        return [self.prox(V, 0.0) for V in self.matrices()]
