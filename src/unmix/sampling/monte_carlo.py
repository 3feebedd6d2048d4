"""Expectations as means over draws, with the error that remains.

    E f ≈ (1/n) Σ_r f(x_r),   x_r ~ p,   standard error = sqrt( Σ_r (f(x_r) - mean)² / (n (n - 1)) )

Reference: Robert & Casella, Monte Carlo Statistical Methods, chapter 3 (2004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtrit

from unmix.sampling.given_density import drawing, real, shown, whole

BLOCK = 8192  # points drawn at a time, so that memory does not grow with n


@dataclass(frozen=True)
class Estimate:
    """An estimated expectation; arrays have the shape of one value of f."""

    mean: Any
    standard_error: Any
    n: int
    effective_sample_size: float

    def interval(self, confidence: float = 0.95) -> tuple[Any, Any]:
        """Where the expectation lies with this confidence, by Student's t on the effective number of draws."""
        if not 0 < confidence < 1:
            raise ValueError(f"confidence={confidence!r}: give a number between 0 and 1")
        freedom = max(self.effective_sample_size - 1, 1e-3)
        reach = float(stdtrit(freedom, 0.5 + confidence / 2)) * self.standard_error
        return self.mean - reach, self.mean + reach


def monte_carlo(f: Callable[[np.ndarray], Any], sampler: Any, n: int, *, random_state: Any = None) -> Estimate:
    """The expectation of f under the law that ``sampler`` draws from, with its standard error.

    Points are drawn and forgotten in blocks, so memory does not grow with n. The error falls as 1/sqrt(n), whatever the
    dimension; it is that of independent draws with a finite variance of f.

    Parameters
    ----------
    f : function of points (n, d)
        Its values, of shape (n,) or (n, ...).
    sampler : function of (n, rng), or an object with ``sample`` or ``rvs``
        What draws: a density of unmix or scikit-learn, a frozen law of scipy, or a function that is given a number of
        points and a numpy Generator and returns an array of shape (n, d) or (n,). f always gets rows, (n, d).
    n : int
        Number of draws, at least 2.
    random_state : int, numpy Generator or None

    Returns
    -------
    Estimate
        With ``mean``, ``standard_error`` and ``interval(confidence)``.

    Examples
    --------
    A quarter of a circle in the unit square:

    >>> from unmix.sampling import monte_carlo
    >>> inside = lambda X: 4.0 * ((X**2).sum(axis=1) < 1)
    >>> pi = monte_carlo(inside, lambda n, rng: rng.random((n, 2)), 100_000, random_state=0)
    >>> low, high = pi.interval()
    >>> bool(low < 3.14159 < high), round(pi.standard_error, 4)
    (True, 0.0052)
    """
    draw, rng = drawing(sampler, "sampler"), np.random.default_rng(random_state)
    mean: Any = 0.0
    scatter: Any = 0.0
    unit: Any = 0.0
    seen = 0
    for size in blocks(whole(n, "n", 2)):
        values = values_of(f, draw(size, rng))
        old, unit = unit, np.maximum(unit, unit_of(values))
        values, mean, scatter = values / unit, mean * (old / unit), scatter * (old / unit) ** 2
        block_mean = values.mean(axis=0)
        gap, total = block_mean - mean, seen + size
        # the scatter of two parts is that of each and of their means
        scatter = scatter + ((values - block_mean) ** 2).sum(axis=0) + gap**2 * (seen * size / total)
        mean, seen = mean + gap * (size / total), total
    error = np.sqrt(scatter / (seen * (seen - 1.0)))
    return Estimate(as_scalar(mean * unit), as_scalar(error * unit), seen, float(seen))


def blocks(n: int) -> Iterator[int]:
    """Sizes of at most BLOCK that add up to n."""
    for first in range(0, n, BLOCK):
        yield min(BLOCK, n - first)


def unit_of(values: np.ndarray) -> Any:
    """A power of two near the largest value of each column: in this unit squares neither over- nor underflow."""
    exponent = np.frexp(np.abs(values).max(axis=0, initial=0.0))[1]
    return np.ldexp(1.0, np.clip(exponent - 1, -1022, 1023))


def values_of(f: Callable[[np.ndarray], Any], X: np.ndarray, matters: Any = True) -> np.ndarray:
    """f at the points, checked: one value a row, finite wherever it ``matters``."""
    if not callable(f):
        raise ValueError(f"f={f!r} is no function; give one of points (n, d) that returns a value for each")
    values = real(f(X), "f")
    if values.ndim == 0 or len(values) != len(X):
        raise ValueError(f"f gave shape {values.shape} for points of shape {X.shape}; give one value a row")
    wrong = ~np.isfinite(values.reshape(len(X), -1)).all(axis=1) & matters
    if wrong.any():
        first = int(np.argmax(wrong))
        raise ValueError(f"f gave {values[first]} at the point {shown(X[first])}; it must be finite where it is drawn")
    return values


def as_scalar(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else value
