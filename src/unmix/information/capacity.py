"""How many bits a noisy channel carries: its capacity, by Blahut and Arimoto, between two bounds.

    C = max_p I(X;Y),    Y ~ W(y|x),    with Σ p(x) cost(x) ≤ budget if inputs have a price

With D(x) = KL(W(.|x) ‖ q), q = Σ_x p(x) W(.|x), every feasible p and every s ≥ 0 give
Σ p D ≤ C ≤ max_x (D(x) - s (cost(x) - budget)). One iteration is p <- p exp(D - s cost) / Z, where s keeps the budget.
References: Blahut, Computation of channel capacity and rate-distortion functions, IEEE Trans. Information Theory 18
(1972); Arimoto, same volume. Where these steps crawl, steps of Newton finish (capacity_newton.py); bounds are the same.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import logsumexp

from unmix.core.arguments import as_numbers, whole_number, zero_or_more
from unmix.information.capacity_newton import Inside, newton_step
from unmix.information.distribution import units, x_log_x

PATIENCE = 100  # plain iterations before Newton's; they are cheap, and enough for channels with nothing to leave out
STALL_PATIENCE = 30  # steps of Newton without a better bound before plain ones take over


class Capacity(NamedTuple):
    """The answer of `capacity`; the true value is in [value, value + gap].

    Attributes
    ----------
    value : float
    law : (n,), the input law that reaches it
    gap : float
    cost : float, Σ law × costs; NaN without costs
    n_iter : int

    Examples
    --------
    >>> capacity([[1.0, 0.0], [0.0, 1.0]]).law
    array([0.5, 0.5])
    """

    value: float
    law: np.ndarray
    gap: float
    cost: float
    n_iter: int


class _Point(NamedTuple):
    log_law: np.ndarray
    lower: float
    upper: float
    divergence: np.ndarray


def capacity(
    channel: Any, *, costs: Any = None, budget: float | None = None, base: float = 2.0, tol: float = 1e-9,
    max_iter: int = 100_000,
) -> Capacity:  # fmt: skip
    """Capacity of a memoryless channel, the input law that reaches it, and how exact the answer is.

    Parameters
    ----------
    channel : array-like of shape (n, m)
        Row x holds the distribution of outputs W(y|x), as probabilities or counts.
    costs : array-like of shape (n,), optional
        Price of each input; ``budget`` is what an input may cost on average.
    budget : float, optional
    base : float, default=2
        2 counts in bits, numpy.e in nats.
    tol : float, default=1e-9
        Stop when upper and lower bound are at most this far apart.
    max_iter : int, default=100000
        Iterations at most; ``gap`` says how far they came.

    Notes
    -----
    Cost: O(n m) an iteration, O(n³) one of Newton's, for the inputs that are used.

    References
    ----------
    Blahut, Computation of channel capacity and rate-distortion functions, IEEE Trans. Information Theory 18, 1972.
    Arimoto, An algorithm for computing the capacity of arbitrary discrete memoryless channels, same volume.

    Examples
    --------
    One bit in ten arrives flipped, 1 - H(0.1) = 0.531 bits arrive:

    >>> capacity([[0.9, 0.1], [0.1, 0.9]]).value
    0.531...
    """
    W = _checked_channel(channel)
    price, limit = _checked_budget(costs, budget, len(W))
    allowed = price <= limit if price.min() >= limit else np.ones(len(W), dtype=bool)  # no choice left: the cheapest
    tol, max_iter = zero_or_more("tol", tol), whole_number("max_iter", max_iter)
    W, price = W[allowed], price[allowed]
    limit = limit if price.max() > limit else np.inf  # a budget that nothing exceeds is none
    found, n_iter = _climb(W[:, W.sum(axis=0) > 0], price, limit, tol * units(base), max_iter)
    law = np.zeros(len(allowed))
    law[allowed] = np.exp(found.log_law)
    spent = float(np.exp(found.log_law) @ price) if costs is not None else float("nan")
    gap = max(0.0, found.upper - found.lower) / units(base)
    return Capacity(max(0.0, found.lower) / units(base), law, gap, spent, n_iter)


def _climb(W: np.ndarray, price: np.ndarray, limit: float, tol: float, max_iter: int) -> tuple[_Point, int]:
    """The best bounds seen, with the law of the lower one: plain iterations, then Newton's, then plain ones again."""
    start = _measure(W, price, limit, *_within_budget(np.zeros(len(W)), price, limit))
    best, n_iter = _plain(start, 1, W, price, limit, tol, min(max_iter, PATIENCE))
    best, n_iter = _newton(best, n_iter, W, price, limit, tol, max_iter)
    return _plain(best, n_iter, W, price, limit, tol, max_iter)


def _plain(
    best: _Point, n_iter: int, W: np.ndarray, price: np.ndarray, limit: float, tol: float, max_iter: int
) -> tuple[_Point, int]:
    while n_iter < max_iter and best.upper - best.lower > tol:
        law, slope = _within_budget(best.log_law + best.divergence, price, limit)
        best, n_iter = _better(best, _measure(W, price, limit, law, slope)), n_iter + 1
    return best, n_iter


def _newton(
    best: _Point, n_iter: int, W: np.ndarray, price: np.ndarray, limit: float, tol: float, max_iter: int
) -> tuple[_Point, int]:
    """Steps from the middle of all laws, for those of plain iterations are too near to the border already."""
    below = limit if np.isinf(limit) else (limit + price.min()) / 2
    middle = np.exp(_within_budget(np.zeros(len(W)), price, below)[0])
    inside, stalled = Inside.start(middle, price, limit), 0
    while n_iter < max_iter and best.upper - best.lower > tol and stalled < STALL_PATIENCE:
        point = _measure(W, price, limit, np.log(inside.law), inside.slope)
        gap = best.upper - best.lower
        best, n_iter = _better(best, point), n_iter + 1
        stalled = 0 if best.upper - best.lower < 0.9 * gap else stalled + 1
        inside = newton_step(inside, point.divergence, W, price)
    return best, n_iter


def _better(best: _Point, new: _Point) -> _Point:
    """Both bounds hold at every point, so the highest lower and the lowest upper one count."""
    chosen = new if new.lower >= best.lower else best
    return chosen._replace(upper=min(best.upper, new.upper))


def _measure(W: np.ndarray, price: np.ndarray, limit: float, log_law: np.ndarray, slope: float) -> _Point:
    law = np.exp(log_law)
    q = law @ W
    divergence = x_log_x(W).sum(axis=1) - W @ np.log(np.where(q > 0, q, np.finfo(float).tiny))
    excess = slope * (price - limit) if slope > 0 else 0.0
    return _Point(log_law, float(law @ divergence), float((divergence - excess).max()), divergence)


def _within_budget(log_weight: np.ndarray, price: np.ndarray, limit: float) -> tuple[np.ndarray, float]:
    """The law p ∝ exp(log_weight - s price) of least s ≥ 0 that costs at most ``limit``."""
    law = log_weight - logsumexp(log_weight)
    if np.exp(law) @ price <= limit:
        return law, 0.0
    cheap = price - price.min()

    def tilted(s: float) -> np.ndarray:
        moved = log_weight - s * cheap
        return np.asarray(moved - logsumexp(moved))

    low, high = 0.0, 1.0 / cheap.max()
    while np.exp(tilted(high)) @ price > limit and high < 1e300:
        low, high = high, 4 * high
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if np.exp(tilted(middle)) @ price > limit else (low, middle)
    return tilted(high), high


def _checked_channel(channel: Any) -> np.ndarray:
    W = as_numbers(channel, "channel")
    if W.ndim != 2 or 0 in W.shape:
        raise ValueError(f"channel has shape {W.shape}; give a table, one row an input and one column an output")
    if not np.isfinite(W).all() or (W < 0).any():
        raise ValueError("channel holds negative numbers, NaN or infinity; rows are probabilities or counts")
    if not (W > 0).any(axis=1).all():
        raise ValueError("channel has a row without any output; drop inputs that cannot be sent")
    W = W / W.max(axis=1, keepdims=True)  # counts of 1e308 would add up to infinity
    return W / W.sum(axis=1, keepdims=True)


def _checked_budget(costs: Any, budget: float | None, n: int) -> tuple[np.ndarray, float]:
    if (costs is None) != (budget is None):
        raise ValueError("give costs and budget together: the price of each input, and the most it may be on average")
    if costs is None or budget is None:
        return np.zeros(n), float("inf")
    price = as_numbers(costs, "costs")
    if price.shape != (n,) or not np.isfinite(price).all():
        raise ValueError(f"costs has shape {price.shape}; give one finite number for each of the {n} inputs")
    if not price.min() <= budget:
        raise ValueError(f"budget={budget!r} is below the cheapest input, {price.min()}; raise it")
    return price, float(budget)
