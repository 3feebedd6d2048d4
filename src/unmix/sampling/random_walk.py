"""Random-walk proposals for many chains, whose steps fit themselves to the target during the burn-in and then stay.

    x' = x + s L z,   z ~ N(0, I),   L Lᵀ = covariance within the chains,   s such that the wished share is accepted

References: Haario, Saksman & Tamminen, An adaptive Metropolis algorithm, Bernoulli 7 (2001); Roberts, Gelman & Gilks,
Weak convergence and optimal scaling of random walk Metropolis algorithms, Annals of Applied Probability 7 (1997).
"""

from __future__ import annotations

from typing import Any

import numpy as np

ADAPT_AT = (0.1, 0.25, 0.5, 0.8)  # of the burn-in: where the shape of the steps is taken anew
ADAPTATION_POWER = 0.6  # the scale's changes fall as t^-0.6 after each of these


class RandomWalk:
    """Gaussian steps from where a chain is.

    Parameters
    ----------
    step : float, array of shape (d,) or None
        Standard deviation of the steps. None fits shape and scale during the burn-in; a given one stays as it is.
    target : float or None
        Share of proposals to accept; None takes 0.234 + 0.206 / d, about the best for a Gaussian.
    """

    def __init__(self, step: Any = None, target: float | None = None) -> None:
        self.step = step
        self.target = target

    def begin(self, points: np.ndarray, burn_in: int) -> FixedSteps:
        """Steps for chains that are at these points."""
        d = points.shape[1]
        if self.step is None:
            spread = points.std(axis=0)
            target = self.target if self.target is not None else 0.234 + 0.206 / d
            if not 0 < target < 1:
                raise ValueError(f"target={self.target!r}: give a share of proposals between 0 and 1")
            return FittedSteps(np.where(spread > 0, spread, 1.0), target, burn_in)
        step = np.asarray(self.step, dtype=np.float64)
        if step.shape not in ((), (d,)) or not (np.isfinite(step).all() and (step > 0).all()):
            raise ValueError(f"step={self.step!r}: give a positive number, or one for each of the {d} coordinates")
        return FixedSteps(np.broadcast_to(step, (d,)))


class FixedSteps:
    """Steps of given widths."""

    def __init__(self, widths: np.ndarray) -> None:
        self.factor = np.diag(widths)  # noise @ factor has the wished covariance

    def propose(self, points: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, float]:
        new = rng.standard_normal(points.shape) @ self.factor
        new += points
        return new, 0.0  # symmetric

    def adapt(self, points: np.ndarray, accepted: np.ndarray) -> None:
        """Nothing: the steps are given."""


class FittedSteps(FixedSteps):
    """Steps that learn: the scale from the acceptance, the shape from the covariance within the chains."""

    def __init__(self, widths: np.ndarray, target: float, burn_in: int) -> None:
        self.target = target
        self.shaped_at = {int(share * burn_in) for share in ADAPT_AT}
        self.steps, self.since = 0, 0
        self._shape(np.diag(widths))

    def adapt(self, points: np.ndarray, accepted: np.ndarray) -> None:
        """After one step of the burn-in."""
        self.steps, self.since = self.steps + 1, self.since + 1
        # relative to the target, so that steps shrink as fast as they grow
        miss = np.clip((accepted.mean() - self.target) / self.target, -1.0, 1.0)
        self.scale *= np.exp(miss * self.since**-ADAPTATION_POWER)
        self.factor = self.scale * self.root
        self._remember(points)
        if self.steps in self.shaped_at:
            self._reshape(len(points))

    def _shape(self, root: np.ndarray) -> None:
        self.root, self.scale, self.since = root, 2.38 / np.sqrt(len(root)), 0
        self.factor = self.scale * root
        self.origin: Any = None

    def _remember(self, points: np.ndarray) -> None:
        if self.origin is None:
            self.origin, self.sums, self.products = points.copy(), np.zeros_like(points), np.zeros_like(self.root)
        off = points - self.origin
        self.sums += off
        self.products += off.T @ off

    def _reshape(self, chains: int) -> None:
        """Within the chains, because chains at different modes would make steps as long as the modes are apart."""
        count, d = chains * self.since, len(self.root)
        covariance = (self.products - self.sums.T @ self.sums / self.since) / count
        variances = np.diag(covariance)
        if self.since < 2 or not (variances > 0).all():
            return
        doubt = 5 * d / (count + 5 * d)  # few points: trust the variances more than the correlations
        blend = (1 - doubt) * covariance + np.diag(doubt * variances)
        self._shape(np.linalg.cholesky(blend).T)
