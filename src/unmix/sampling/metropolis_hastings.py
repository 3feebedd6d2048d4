"""Chains that wander through a density known up to a constant and visit every place as often as it deserves.

    propose x' ~ g(· | x), accept with probability min(1, p(x') g(x | x') / (p(x) g(x' | x))), else stay

References: Metropolis et al., J. Chem. Phys. 21 (1953); Hastings, Biometrika 57 (1970).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.sampling.chains import Chains
from unmix.sampling.given_density import LogDensity, drawing, log_density, shown, whole
from unmix.sampling.random_walk import RandomWalk


def metropolis_hastings(
    log_p: Any,
    proposal: Any = None,
    *,
    start: Any,
    n_steps: int = 1000,
    n_chains: int = 4,
    burn_in: int | None = None,
    thin: int = 1,
    random_state: Any = None,
) -> Chains:
    """Sample from a density by many Markov chains at once.

    All chains advance together: a step is one call of ``log_p`` with the proposals of all chains, so a thousand chains
    cost little more than one. The default random walk fits its steps to the target during the burn-in only, so what is
    kept comes from one unchanging chain that leaves the density as it is.

    Parameters
    ----------
    log_p : function of points (n, d), or an object with ``score_samples`` or ``logpdf``
        The log-density up to a constant; -inf where it is 0.
    proposal : None, RandomWalk, function, or an object with ``score_samples`` and ``sample``
        None is ``RandomWalk()``. A function ``proposal(points, rng)`` returns new points for all chains, where
        symmetric, or the pair of these and log g(points | new) - log g(new | points), one a chain. A density is drawn
        from whatever the current point.
    start : array of shape (d,) or (n_chains, d)
        Where the chains begin; apart, or R-hat cannot tell whether they have met.
    n_steps : int, default=1000
        Steps kept of each chain.
    n_chains : int, default=4
        Number of chains that begin at a ``start`` of shape (d,); otherwise the rows of ``start`` count.
    burn_in : int or None
        Steps before the first that is kept; None takes half of ``n_steps``.
    thin : int, default=1
        Keep every thin-th step; ``n_steps`` are kept all the same.
    random_state : int, numpy Generator or None

    Returns
    -------
    Chains
        ``samples`` (chains, steps, d), ``log_p``, ``acceptance``, ``r_hat``, ``effective_sample_size``,
        ``verdict()``.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.sampling import metropolis_hastings
    >>> log_p = lambda X: -0.5 * (X[:, 0] ** 2 + (X[:, 1] - X[:, 0] ** 2) ** 2)  # bent like a banana
    >>> start = np.random.default_rng(0).normal(size=(50, 2))
    >>> chains = metropolis_hastings(log_p, start=start, n_steps=1000, random_state=0)
    >>> chains.samples.shape, bool(np.abs(chains.pooled.mean(axis=0) - [0, 1]).max() < 0.1)
    ((50, 1000, 2), True)
    >>> bool(chains.r_hat.max() < 1.05)
    True
    """
    target, rng = log_density(log_p, "log_p", log=True), np.random.default_rng(random_state)
    n_steps, thin = whole(n_steps, "n_steps", 1), whole(thin, "thin", 1)
    burn_in = n_steps // 2 if burn_in is None else whole(burn_in, "burn_in", 0)
    points = _starts(start, whole(n_chains, "n_chains", 1))
    heights = target(points)
    if (heights == -np.inf).any():
        first = shown(points[int(np.argmin(heights))])
        raise ValueError(f"start: the density is 0 at {first}, where a chain begins; begin where it is positive")
    steps = _steps(proposal, points, burn_in)
    for _ in range(burn_in):
        steps.adapt(points, advance(target, steps, points, heights, rng))
    # one step of all chains lies together in memory; the view turned round is what users get
    samples, log_heights = np.empty((n_steps, *points.shape)), np.empty((n_steps, len(points)))
    accepted = np.zeros(len(points))
    for t in range(n_steps):
        for _ in range(thin):
            accepted += advance(target, steps, points, heights, rng)
        samples[t], log_heights[t] = points, heights
    return Chains(samples.transpose(1, 0, 2), log_heights.T, accepted / (n_steps * thin))


def advance(
    target: LogDensity, steps: Any, points: np.ndarray, heights: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """One step of all chains, in place; which of them moved."""
    new, log_ratio = steps.propose(points, rng)
    new_heights = target(new)
    moved = -rng.standard_exponential(len(points)) < new_heights - heights + log_ratio
    np.copyto(points, new, where=moved[:, None])
    np.copyto(heights, new_heights, where=moved)
    return moved


def _starts(start: Any, n_chains: int) -> np.ndarray:
    points = np.array(start, dtype=np.float64)
    points = np.tile(points, (n_chains, 1)) if points.ndim == 1 else points
    if points.ndim != 2 or points.size == 0 or not np.isfinite(points).all():
        raise ValueError(f"start has shape {np.shape(start)}; give finite points, of shape (d,) or (n_chains, d)")
    return points


def _steps(proposal: Any, points: np.ndarray, burn_in: int) -> Any:
    if proposal is None or isinstance(proposal, RandomWalk):
        return (proposal or RandomWalk()).begin(points, burn_in)
    if hasattr(proposal, "score_samples") or hasattr(proposal, "logpdf"):
        return FromDensity(proposal)
    if callable(proposal):
        return FromFunction(proposal)
    raise ValueError(f"proposal={proposal!r}: give None, a RandomWalk, a function of (points, rng), or a density")


class FromFunction:
    """The user's own proposals."""

    def __init__(self, propose: Any) -> None:
        self.given = propose

    def propose(self, points: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, Any]:
        answer = self.given(points.copy(), rng)  # a copy: it may be changed in place
        new, log_ratio = answer if isinstance(answer, tuple) else (answer, 0.0)
        new, log_ratio = np.asarray(new, dtype=np.float64), np.asarray(log_ratio, dtype=np.float64)
        if new.shape != points.shape or log_ratio.shape not in ((), (len(points),)) or np.isnan(log_ratio).any():
            raise ValueError(
                f"proposal gave points of shape {new.shape} and log-ratios of shape {log_ratio.shape} for points of "
                f"shape {points.shape}; give one new point and one number a chain"
            )
        return new, log_ratio

    def adapt(self, points: np.ndarray, accepted: np.ndarray) -> None:
        """Nothing: the proposals are the user's."""


class FromDensity(FromFunction):
    """Proposals drawn from one density, wherever the chain is."""

    def __init__(self, density: Any) -> None:
        height, draw = log_density(density, "proposal", log=True), drawing(density, "proposal")

        def propose(points: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
            new = draw(len(points), rng)
            return new, height(points) - height(new)

        super().__init__(propose)
