"""Independent draws from a density known up to a constant, out of draws from another one that covers it.

    x ~ q,   u uniform on [0, c q(x)],   keep x where u < p*(x);   needs c q(x) ≥ p*(x) for all x

References: von Neumann, Various techniques used in connection with random digits (1951); Caffo, Booth & Davis,
Empirical supremum rejection sampling, Biometrika 89 (2002).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from unmix.sampling.given_density import log_density, proposal_density, shown, whole
from unmix.sampling.importance import log_ratio
from unmix.sampling.monte_carlo import BLOCK
from unmix.sampling.pareto_tail import pareto_k

ROUNDING = 1e-9  # a bound met exactly may be missed by rounding
PILOT = 4096  # draws that a first bound comes from; they are not used otherwise
UNBOUNDED_SHAPE = 0.25  # a tail of p*/q of this shape has no largest value


@dataclass(frozen=True)
class Accepted:
    """Points that were kept, and how."""

    samples: np.ndarray
    acceptance: float
    n_draws: int
    log_bound: float
    n_raised: int


def rejection(
    p_star: Any, q: Any, c: Any, n: int, *, log: bool = False, max_draws: int = 10**7, random_state: Any = None
) -> Accepted:
    """Draw n independent points from p* (up to a constant) by keeping some draws of q.

    A draw x is kept with probability p*(x) / (c q(x)). Where that exceeds 1, c is no bound: a c that was given is then
    refused with the point and the ratio seen there. With ``c=None`` the bound is the largest ratio of a first 4096
    draws; where a larger one turns up later, it becomes the bound and the points kept so far are thinned to match. Such
    a bound is only as large as what was seen: the samples follow the smaller of p* and c q, and what p* has above it is
    missing.

    Parameters
    ----------
    p_star : function of points (n, d), or an object with ``score_samples`` or ``logpdf``
        The density up to a constant.
    q : pair (density, draw), or an object with ``score_samples`` and ``sample``, or ``logpdf`` and ``rvs``
        Where to draw from; ``draw(n, rng)`` returns points.
    c : float or None
        The bound on p*/q, its logarithm if ``log``. None (or "adaptive") finds one.
    n : int
        Number of points to keep.
    log : bool, default=False
        Whether the functions ``p_star`` and ``density``, and ``c``, are logarithms; the objects' methods always are.
    max_draws : int, default=10**7
        Give up after this many.
    random_state : int, numpy Generator or None

    Returns
    -------
    Accepted
        ``samples`` (n, d), ``acceptance`` (the share kept), ``n_draws``, ``log_bound``, and ``n_raised``, how often a
        found bound was raised.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.stats import uniform
    >>> from unmix.sampling import rejection
    >>> arch = lambda X: X[:, 0] * (1 - X[:, 0])
    >>> kept = rejection(arch, uniform(0, 1), 0.25, 20_000, random_state=0)
    >>> round(float(kept.samples.var()), 3), round(kept.acceptance, 2)  # 1/20, and 2/3
    (0.05, 0.67)
    >>> rejection(arch, uniform(0, 1), 0.1, 20_000, random_state=0)
    Traceback (most recent call last):
    ...
    ValueError: c=0.1 is no bound: at the point [...] p_star is 0.25 times q; give a c of at least ...
    """
    density, draw = proposal_density(q, log=log)
    target, rng = log_density(p_star, "p_star", log=log), np.random.default_rng(random_state)
    adaptive = c is None or (isinstance(c, str) and c == "adaptive")
    n, max_draws = whole(n, "n", 1), whole(max_draws, "max_draws", 1)
    bound = _first_bound(target, density, draw, rng) if adaptive else _given_bound(c, log)
    kept: list[np.ndarray] = []
    n_kept, n_draws, n_raised = 0, 0, 0
    while n_kept < n:
        if n_draws >= max_draws:
            raise ValueError(
                f"of {n_draws} draws from q {n_kept} were kept, {n} were asked for; give a q closer to p_star, a "
                "smaller c if the ratio p_star/q allows, or a larger max_draws"
            )
        X = draw(BLOCK, rng)
        ratio = log_ratio(target, density, X)
        highest = float(ratio.max())
        if highest > bound + ROUNDING:
            if not adaptive:
                raise ValueError(_violation(c, log, X[ratio.argmax()], highest))
            kept = [part[rng.random(len(part)) < np.exp(bound - highest)] for part in kept]
            bound, n_raised = highest, n_raised + 1
        kept.append(X[np.log1p(-rng.random(BLOCK)) < ratio - bound])
        n_draws, n_kept = n_draws + BLOCK, sum(len(part) for part in kept)
    return Accepted(np.concatenate(kept)[:n], n_kept / n_draws, n_draws, bound, n_raised)


def _given_bound(c: Any, log: bool) -> float:
    value = float(c) if isinstance(c, Real) else np.nan
    if not np.isfinite(value) or (value <= 0 and not log):
        raise ValueError(
            f"c={c!r} is no bound on p_star/q; give a positive number (its logarithm with log=True), or None"
        )
    return value if log else float(np.log(value))


def _first_bound(target: Any, density: Any, draw: Any, rng: np.random.Generator) -> float:
    ratio = log_ratio(target, density, draw(PILOT, rng))
    if ratio.max() == -np.inf:
        raise ValueError(f"p_star is 0 at all {PILOT} points drawn from q; give a q that draws where p_star lies")
    shape = pareto_k(ratio)
    if shape > UNBOUNDED_SHAPE:
        warnings.warn(
            f"p_star/q seems to have no bound (its tail has shape {shape:.2f}): the samples will lack some of p_star "
            "where q is too low; give a q with heavier tails than p_star",
            RuntimeWarning,
            stacklevel=3,
        )
    return float(ratio.max())


def _violation(c: Any, log: bool, point: np.ndarray, highest: float) -> str:
    seen = f"log p_star - log q is {highest:.6g}" if log else f"p_star is {np.exp(highest):.6g} times q"
    least = f"{highest:.6g}" if log else f"{np.exp(highest):.6g}"
    return (
        f"c={c:.6g} is no bound: at the point {shown(point)} {seen}; give a c of at least {least}, better more, since "
        "this is only the largest seen, or c=None to find one"
    )
