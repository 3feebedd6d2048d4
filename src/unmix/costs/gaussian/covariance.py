"""Families of covariances: what the components of a Gaussian mixture may look like.

Given scatter matrices S_c about the means and the masses N_c, a family returns the covariances of largest likelihood
among those with Σ ⪰ floor,

    Σ = argmax_{Σ ⪰ diag(floor)}  -N/2 (log|Σ| + tr(Σ⁻¹ S / N)),

which is S/N with its eigenvalues, in units of the floor, raised to at least one. Because this is an exact maximum
over a fixed set, a floor never makes the likelihood of an EM step fall, as adding it to the diagonal can.

Inside the engine covariances have shape (k, d, d) or, shared by all components, (1, d, d); variances along the axes
have shape (k, d).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

THINNEST = 1e-13  # times the largest variance of a component; in thinner directions float64 keeps no digit


class Family(Protocol):
    @property
    def axis(self) -> bool:
        """Whether there are variances along the axes only."""

    @property
    def shared(self) -> bool:
        """Whether all components have one covariance."""

    @property
    def given(self) -> np.ndarray | None:
        """Covariances that are known and not estimated."""

    def estimate(self, mass: np.ndarray, scatter: np.ndarray, floor: np.ndarray) -> np.ndarray:
        """Covariances for the scatter about the means and masses (k, 1, 1) or, along axes, (k, 1) or (k, d)."""

    def n_parameters(self, k: int, d: int) -> int: ...


@dataclass(frozen=True)
class Full:
    """Every component has its own ellipsoid."""

    axis: ClassVar[bool] = False
    shared: ClassVar[bool] = False
    given: ClassVar[None] = None

    def estimate(self, mass: np.ndarray, scatter: np.ndarray, floor: np.ndarray) -> np.ndarray:
        return raise_to_floor(scatter / mass, floor)

    def n_parameters(self, k: int, d: int) -> int:
        return k * d * (d + 1) // 2


@dataclass(frozen=True)
class Tied:
    """All components have the same ellipsoid."""

    axis: ClassVar[bool] = False
    shared: ClassVar[bool] = True
    given: ClassVar[None] = None

    def estimate(self, mass: np.ndarray, scatter: np.ndarray, floor: np.ndarray) -> np.ndarray:
        return raise_to_floor(scatter.sum(0, keepdims=True) / mass.sum(), floor)

    def n_parameters(self, k: int, d: int) -> int:
        return d * (d + 1) // 2


@dataclass(frozen=True)
class Diagonal:
    """Every component has its own variance along each axis."""

    axis: ClassVar[bool] = True
    shared: ClassVar[bool] = False
    given: ClassVar[None] = None

    def estimate(self, mass: np.ndarray, scatter: np.ndarray, floor: np.ndarray) -> np.ndarray:
        return np.maximum(scatter / mass, floor)

    def n_parameters(self, k: int, d: int) -> int:
        return k * d


@dataclass(frozen=True)
class Spherical:
    """Every component is a ball of its own radius."""

    axis: ClassVar[bool] = True
    shared: ClassVar[bool] = False
    given: ClassVar[None] = None

    def estimate(self, mass: np.ndarray, scatter: np.ndarray, floor: np.ndarray) -> np.ndarray:
        variance = np.maximum(scatter.sum(1, keepdims=True) / mass.sum(1, keepdims=True), floor.mean())
        return np.broadcast_to(variance, scatter.shape).copy()

    def n_parameters(self, k: int, d: int) -> int:
        return k


@dataclass(frozen=True, eq=False)
class Fixed:
    """The covariance is known: (1, d, d), or (k, d, d) one for each component."""

    given: np.ndarray
    axis: ClassVar[bool] = False

    @property
    def shared(self) -> bool:
        return len(self.given) == 1

    def estimate(self, mass: np.ndarray, scatter: np.ndarray, floor: np.ndarray) -> np.ndarray:
        return self.given

    def n_parameters(self, k: int, d: int) -> int:
        return 0


def raise_to_floor(covariance: np.ndarray, floor: np.ndarray) -> np.ndarray:
    """(..., d, d) with every eigenvalue, in units of ``floor``, at least one; those untouched for which that holds.

    Nor is one less than THINNEST times the largest: below that it is a rounding error, and may be negative.
    """
    root = np.sqrt(floor)
    unit = np.outer(root, root)
    relative = covariance / unit
    relative = (relative + relative.swapaxes(-1, -2)) / 2
    least = np.maximum(1.0, THINNEST * np.trace(relative, axis1=-2, axis2=-1))[..., None]
    relative = _lifted(relative, least)
    return relative * unit


def _lifted(relative: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Symmetric (..., d, d) with every eigenvalue at ``least`` (..., 1); of many, halves are asked for those below."""
    try:
        # the usual case: all far above the floor
        np.linalg.cholesky(relative - least[..., None] * np.eye(relative.shape[-1]))
        return relative
    except np.linalg.LinAlgError:
        if relative.ndim > 2 and len(relative) > 1:  # one thin component is no reason to decompose all
            half = len(relative) // 2
            return np.concatenate([_lifted(relative[:half], least[:half]), _lifted(relative[half:], least[half:])])
    values, vectors = np.linalg.eigh(relative)
    raised = (vectors * np.maximum(values, least)[..., None, :]) @ vectors.swapaxes(-1, -2)
    return np.where(values[..., :1, None] < least[..., None], raised, relative)


def whitening(covariances: np.ndarray) -> np.ndarray:
    """Upper triangular W with W Wᵀ = Σ⁻¹, or 1/σ for variances along axes."""
    if covariances.ndim == 2:
        return 1 / np.sqrt(covariances)
    lower = np.linalg.cholesky(covariances)
    return np.linalg.solve(lower, np.broadcast_to(np.eye(lower.shape[1]), lower.shape)).transpose(0, 2, 1).copy()


def log_determinant_of_whitening(W: np.ndarray) -> np.ndarray:
    """log |Σ|^(-1/2), per component."""
    return np.log(W).sum(1) if W.ndim == 2 else np.log(np.diagonal(W, axis1=1, axis2=2)).sum(1)
