"""How many bits a code needs if it may err: the rate–distortion curve, by Blahut and Arimoto.

    R(D) = min I(X;X̂) over p(x̂|x) with Σ p(x) p(x̂|x) d(x,x̂) ≤ D

The point of slope dR/dD = -beta (in nats) solves p(x̂|x) = q(x̂) exp(-beta d(x,x̂)) / Z(x), q(x̂) = Σ_x p(x) p(x̂|x). One
iteration multiplies q by c(x̂) = Σ_x p(x) exp(-beta d(x,x̂)) / Z(x), and R(D) lies within max log c - Σ q c log c
below the rate reached. References: Blahut, Computation of channel capacity and rate-distortion functions, IEEE Trans.
Information Theory 18 (1972); Arimoto, An algorithm for computing the capacity, same volume.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.core.arguments import as_numbers, whole_number, zero_or_more
from unmix.information.distribution import as_distribution, units, x_log_x


class RateDistortion(NamedTuple):
    """Points of the curve, one a slope. True rates at these distortions are in [rate - gap, rate].

    Attributes
    ----------
    beta : (slopes,), as given
    rate : (slopes,), I(X;X̂)
    distortion : (slopes,)
    conditional : (slopes, n, m), the code p(x̂|x), rows sum to one
    gap : (slopes,), how far Blahut's bounds are apart, in the unit of the rate
    n_iter : (slopes,)

    Examples
    --------
    >>> rate_distortion([1, 1], [[0, 1], [1, 0]], beta=0.0).rate       # a slope of 0 asks for no rate
    array([0.])
    """

    beta: np.ndarray
    rate: np.ndarray
    distortion: np.ndarray
    conditional: np.ndarray
    gap: np.ndarray
    n_iter: np.ndarray


def rate_distortion(
    p: Any, d: Any, beta: Any, *, base: float = 2.0, tol: float = 1e-6, max_iter: int = 10_000
) -> RateDistortion:
    """The rate–distortion curve of a source ``p`` under distortions ``d`` at slopes ``beta``.

    Parameters
    ----------
    p : array-like of shape (n,)
        The source, as probabilities or counts.
    d : array-like of shape (n, m)
        What it costs to say x̂ (column) for x (row).
    beta : float or array-like
        Slopes, dR/dD = -beta when the rate is in nats; 0 is the point of no rate.
    base : float, default=2
        Rates are in bits; numpy.e gives nats.
    tol : float, default=1e-6
        Stop when Blahut's bounds are at most this far apart.
    max_iter : int, default=10000
        Iterations a slope; ``gap`` says how far they came.

    Notes
    -----
    Cost: O(n m) an iteration and slope.

    References
    ----------
    Blahut, Computation of channel capacity and rate-distortion functions, IEEE Trans. Information Theory 18, 1972.

    Examples
    --------
    A fair coin under bit errors has R(D) = 1 - H(D):

    >>> curve = rate_distortion([0.5, 0.5], [[0, 1], [1, 0]], beta=np.log(9))
    >>> curve.distortion.round(3), curve.rate.round(3)
    (array([0.1]), array([0.531]))
    """
    source, cost = as_distribution(p), _checked_cost(d)
    if source.shape != cost.shape[:1]:
        raise ValueError(f"p has shape {source.shape} and d {cost.shape}; d needs one row for each entry of p")
    slopes = np.atleast_1d(as_numbers(beta, "beta"))
    if slopes.ndim != 1 or not len(slopes) or not (np.isfinite(slopes) & (slopes >= 0)).all():
        raise ValueError("beta holds numbers that are no slopes; give finite numbers that are 0 or more")
    tol, max_iter = zero_or_more("tol", tol), whole_number("max_iter", max_iter)
    points = [_point(source, cost, slope, tol * units(base), max_iter) for slope in slopes]
    rate, distortion, conditional, gap, n_iter = (np.array(part) for part in zip(*points))
    return RateDistortion(slopes, rate / units(base), distortion, conditional, gap / units(base), n_iter)


def _point(
    source: np.ndarray, cost: np.ndarray, beta: float, tol: float, max_iter: int
) -> tuple[float, float, np.ndarray, float, int]:
    """Rate and gap in nats, distortion, conditional and iterations at one slope, from equal q."""
    least = cost.min(axis=1, keepdims=True)
    weight = np.exp(-beta * (cost - least))  # the best answer to each x has weight 1, so that no Z underflows
    q = np.full(cost.shape[1], 1.0 / cost.shape[1])
    for iteration in range(1, max_iter + 1):  # noqa: B007, reported below
        share = source / (weight @ q)
        c = share @ weight
        reached = float(q @ x_log_x(c))
        gap = float(np.log(c.max())) - reached
        if gap <= tol:
            break
        q = q * c
        q /= q.sum()
    conditional = weight * q / (weight @ q)[:, None]
    distortion = float(source @ (conditional * cost).sum(axis=1))
    positive = np.where(conditional > 0, conditional, 1.0)
    marginal = np.where(source @ conditional > 0, source @ conditional, 1.0)
    rate = float(source @ (conditional * (np.log(positive) - np.log(marginal))).sum(axis=1))
    return max(0.0, rate), distortion, conditional, max(0.0, gap), iteration


def _checked_cost(d: Any) -> np.ndarray:
    cost = as_numbers(d, "d")
    if cost.ndim != 2 or 0 in cost.shape:
        raise ValueError(f"d has shape {cost.shape}; give a table, one row a source value and one column an answer")
    if not np.isfinite(cost).all():
        raise ValueError("d holds NaN or infinity; give a large finite cost to answers that must not be used")
    return cost
