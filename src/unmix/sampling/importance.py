"""Expectations under a density known up to a constant, from draws of another one, weighted.

    E f ≈ Σ_r w_r f(x_r) / Σ_r w_r,   w_r = p*(x_r) / q(x_r),   effective sample size (Σ w)² / Σ w²

Reference: Owen, Monte Carlo theory, methods and examples, chapter 9 (2013); pareto_tail.py for the diagnostic.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from unmix.sampling.given_density import log_density, proposal_density, shown, whole
from unmix.sampling.monte_carlo import Estimate, as_scalar, blocks, unit_of, values_of
from unmix.sampling.pareto_tail import highest_trusted, shape_of_largest, tail_length

FINITE = 0.5  # the shape of a tail up to which the variance, and so the standard error, exists
LEAST_EFFECTIVE_DRAWS = 30  # effective draws below which an interval says little


@dataclass(frozen=True)
class WeightedEstimate(Estimate):
    """An estimate by importance sampling, and whether its weights can be trusted."""

    pareto_k: float
    pareto_k_f: float
    log_normalizer: float
    trusted: bool


def importance(
    f: Callable[[np.ndarray], Any], p_star: Any, q: Any, n: int, *, log: bool = False, random_state: Any = None
) -> WeightedEstimate:
    """The expectation of f under p* (up to a constant), from n draws of q, with self-normalised weights p*/q.

    The weights tell when q is a bad choice: where q is narrower than p*, a few of them outweigh all others.
    ``pareto_k`` is the shape of their tail, ``pareto_k_f`` that of their products with the distances of f from its
    mean. Above 0.5 for the first and 0.7 for the second (less for few draws) the standard error is too small, and a
    warning says so. A part of p* that no draw came near leaves no trace in the weights: only a q at least as wide as p*
    is safe.

    Parameters
    ----------
    f : function of points (n, d)
        Its values, of shape (n,) or (n, ...).
    p_star : function of points (n, d), or an object with ``score_samples``, ``logpdf`` or ``logpmf``
        The density up to a constant.
    q : pair (density, draw), or an object with ``score_samples`` and ``sample``, or ``logpdf`` and ``rvs``
        Where to draw from; ``draw(n, rng)`` returns points.
    n : int
        Number of draws, at least 2.
    log : bool, default=False
        Whether the functions ``p_star`` and ``density`` return logarithms; the objects' methods always do.
    random_state : int, numpy Generator or None

    Returns
    -------
    WeightedEstimate
        ``mean``, ``standard_error``, ``interval(confidence)``, ``effective_sample_size``, ``pareto_k``,
        ``pareto_k_f``, ``trusted``, and ``log_normalizer``, the logarithm of the integral of p* where q is normalised.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.stats import norm
    >>> from unmix.sampling import importance
    >>> p_star = lambda X: np.exp(-0.5 * X[:, 0] ** 2)
    >>> found = importance(lambda X: X[:, 0] ** 2, p_star, norm(0, 2), 50_000, random_state=1)
    >>> low, high = found.interval()
    >>> bool(low < 1 < high), found.trusted, round(found.log_normalizer, 1)  # log sqrt(2 π) = 0.919
    (True, True, 0.9)
    """
    density, draw = proposal_density(q, log=log)
    target, rng = log_density(p_star, "p_star", log=log), np.random.default_rng(random_state)
    n = whole(n, "n", 2)
    sums, tails = _Sums(), np.empty((0, 0))
    for size in blocks(n):
        X = draw(size, rng)
        log_weights = log_ratio(target, density, X)
        parts = sums.add(log_weights, values_of(f, X, log_weights > -np.inf))
        tails = _largest(np.concatenate([tails, parts]) if tails.size else parts, tail_length(n) + 1)
    if sums.top == -np.inf:
        raise ValueError(f"p_star is 0 at all {n} points drawn from q; give a q that draws where p_star lies")
    shapes = [shape_of_largest(tail) for tail in tails.T] if n >= 25 else [np.nan, np.nan]
    return _result(sums, n, shapes[0], max(shapes[1:]))


def _largest(parts: np.ndarray, count: int) -> np.ndarray:
    """The largest of every column."""
    return parts if len(parts) <= count else np.partition(parts, len(parts) - count, axis=0)[-count:]


def log_ratio(target: Any, density: Any, X: np.ndarray) -> np.ndarray:
    """Log p*/q at points drawn from q."""
    below = density(X)
    if (below == -np.inf).any():
        first = int(np.argmin(below))
        raise ValueError(f"q drew the point {shown(X[first])} where its density is 0; its two halves do not fit")
    return target(X) - below


class _Sums:
    """Sums of weights, their squares and products with f - shift, all relative to the largest weight so far.

    f and the shift are counted in a unit that grows with the largest |f|, so that their squares stay within range.
    """

    def __init__(self) -> None:
        self.top, self.shift = -np.inf, None
        self.unit: Any = 0.0
        self.plain: Any = (0.0, 0.0)
        self.squared: Any = (0.0, 0.0, 0.0)

    def add(self, log_weights: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Log w and log w |f - shift|, as columns: what the sums are made of, to see whether few of them decide."""
        top = max(self.top, float(log_weights.max()))
        if top == -np.inf:
            return np.full((len(values), 1 + values[0].size), -np.inf)
        down, self.top = np.exp(self.top - top), top
        weights = np.exp(log_weights - top)
        weights = weights.reshape(-1, *[1] * (values.ndim - 1))
        values = self._in_units(np.where(weights > 0, values, 0.0))
        if self.shift is None:  # near the mean, so that the squares do not cancel
            self.shift = (weights * values).sum(axis=0) / weights.sum()
        off = np.where(weights > 0, values - self.shift, 0.0)
        once = (weights.sum(), (weights * off).sum(axis=0))
        twice = ((weights**2).sum(), (weights**2 * off).sum(axis=0), (weights**2 * off**2).sum(axis=0))
        self.plain = tuple(old * down + new for old, new in zip(self.plain, once))
        self.squared = tuple(old * down**2 + new for old, new in zip(self.squared, twice))
        with np.errstate(divide="ignore"):
            distances = (np.log(np.abs(off)) + np.log(self.unit)).reshape(len(off), -1)
        return np.column_stack([log_weights, log_weights[:, None] + distances])

    def _in_units(self, values: np.ndarray) -> np.ndarray:
        old, self.unit = self.unit, np.maximum(self.unit, unit_of(values))
        change = old / self.unit
        if self.shift is not None:
            self.shift = self.shift * change
        self.plain = (self.plain[0], self.plain[1] * change)
        self.squared = (self.squared[0], self.squared[1] * change, self.squared[2] * change**2)
        return values / self.unit


def _result(sums: _Sums, n: int, k: float, k_f: float) -> WeightedEstimate:
    total, first = sums.plain
    offset = first / total
    # Σ w² (f - mean)² with f - mean = (f - shift) - offset
    spread = sums.squared[2] - 2 * offset * sums.squared[1] + offset**2 * sums.squared[0]
    error = np.sqrt(np.maximum(spread, 0.0)) / total
    effective = float(total**2 / sums.squared[0])
    narrow = k > FINITE or k_f > highest_trusted(n)
    trusted = not narrow and effective >= min(LEAST_EFFECTIVE_DRAWS, n / 2)
    if not trusted:
        warnings.warn(_in_words(narrow, k, k_f, effective, n), RuntimeWarning, stacklevel=3)
    mean, error = (sums.shift + offset) * sums.unit, error * sums.unit
    log_normalizer = float(np.log(total) + sums.top - np.log(n))
    return WeightedEstimate(as_scalar(mean), as_scalar(error), n, effective, k, k_f, log_normalizer, trusted)


def _in_words(narrow: bool, k: float, k_f: float, effective: float, n: int) -> str:
    worth = f"the {n} draws from q are worth {effective:.1f} from p*"
    if narrow:
        return (
            f"q is too narrow for p*: the weights p*/q have a tail of shape k = {k:.2f} (at most {FINITE} is wanted), "
            f"and with f one of {k_f:.2f} (at most {highest_trusted(n):.2f}), so a few draws decide the mean "
            f"({worth}), and its standard error is too small; draw from a wider q"
        )
    return f"{worth}; draw more, or from a q that lies closer to p*, for an error that can be trusted"
