"""Bits on which two samples agree, for a cost itself rather than a fitted model; and the summary of their curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.costs.base import HasFields, HasMoves, n_objects
from unmix.inference.agreement.gibbs_path import FixedCosts, Interacting, follow, hot_from
from unmix.inference.agreement.posterior import agreement
from unmix.inference.agreement.sampled import Curve, enumerated, sampled
from unmix.inference.enumerate import MOST_LABELLINGS
from unmix.inference.local.first_temperature import hot as hot_for_labels
from unmix.inference.presets import solve
from unmix.validation.agreement.details import AgreementDetails
from unmix.validation.agreement.pairs import TEMPERATURE_RATIO, Curves
from unmix.validation.criteria.base import Score

METHODS = ("auto", "enumerate", "factorial", "mean_field", "sample")


def posterior_agreement(
    cost: Any,
    first: Any,
    second: Any,
    n_clusters: int,
    *,
    prototypes: Any = None,
    temperatures: Any = None,
    method: str = "auto",
    named: bool = False,
    sweeps: int = 400,
    random_state: int = 0,
) -> AgreementDetails:
    """max over T of log2 |C| κ_T(X′, X″) for a cost of `unmix.costs`, |C| = K^n.

    Parameters
    ----------
    cost : a cost, see `unmix.costs.base`
    first, second : data of the cost, the same objects in both
    n_clusters : K
    prototypes : prototypes, or a pair of them, optional
        For a cost with prototypes: objects are then independent and the answer exact.
    temperatures : array of positive numbers, optional
    method : {"auto", "enumerate", "factorial", "mean_field", "sample"}
        "enumerate" writes down all K^n labellings; "factorial" needs prototypes; "mean_field" is an approximation by
        independent objects, begun at an annealed solution of each sample; "sample" integrates the mean costs of Gibbs
        chains and comes with an error. "auto" is the first of these, in that order, that is possible.
    named : bool, default=False
        Whether names of labels mean the same in both samples, as with given prototypes for both, or the fields of a
        Potts model. Only "factorial" and "mean_field" have to know: the others see it from the cost.
    sweeps : int, default=400
        For "sample", at each of three points between neighbouring temperatures.

    Examples
    --------
    >>> from unmix.costs.squared_distance import SquaredDistance
    >>> rng = np.random.default_rng(0)
    >>> U = np.array([[-1.5], [1.5]])
    >>> objects = U[rng.integers(2, size=20_000)]
    >>> first, second = (objects + rng.normal(size=objects.shape) for _ in range(2))
    >>> seen = posterior_agreement(SquaredDistance(), first, second, 2, prototypes=U, named=True)
    >>> print(f"{seen.score.value:.1f} bits an object at T = {seen.temperature:.0f}")
    0.6 bits an object at T = 2
    """
    method = _method(method, cost, first, n_clusters, prototypes)
    n = n_objects(first)
    if method in ("factorial", "mean_field"):
        problems = _problems(method, cost, (first, second), n_clusters, prototypes, random_state)
        T = _grid(temperatures, max(hot_from(problem) for problem in problems))
        agreed = [agreement(p, q, named=named) for p, q in zip(*(follow(problem, T) for problem in problems))]
        seen = Curve(np.array([a.total for a in agreed]), np.array([a.rows.std() * n**0.5 for a in agreed]))
    else:
        T = _grid(temperatures, max(hot_for_labels(cost, data, n_clusters, random_state) for data in (first, second)))
        if method == "enumerate":
            seen = enumerated(cost, first, second, n_clusters, T)
        else:
            seen = sampled(cost, first, second, n_clusters, T, sweeps=sweeps, seed=random_state)
    scale, most = n * np.log(2), np.full((1, 1), np.log2(n_clusters))
    return summarise(Curves(seen.total[None, None] / scale, seen.error[None, None] / scale, n, most), [T])[0]


def _method(method: str, cost: Any, data: Any, k: int, prototypes: Any) -> str:
    if method not in METHODS:
        raise ValueError(f"method={method!r} is not known; choose one of {', '.join(METHODS)}")
    if method == "factorial" and prototypes is None:
        raise ValueError("method='factorial' needs prototypes; give those of both samples")
    if method != "auto":
        return method
    if prototypes is not None:
        return "factorial"
    if k ** n_objects(data) <= MOST_LABELLINGS // 20:
        return "enumerate"
    if isinstance(cost, HasFields):
        return "mean_field"
    if isinstance(cost, HasMoves):
        return "sample"
    raise TypeError(f"{type(cost).__name__} has no fields and no moves; give prototypes")


def _problems(method: str, cost: Any, samples: tuple[Any, Any], k: int, prototypes: Any, seed: int) -> list[Any]:
    if method == "factorial":
        both = prototypes if isinstance(prototypes, tuple) else (prototypes, prototypes)
        return [FixedCosts(np.asarray(cost.distances(data, U))) for data, U in zip(samples, both)]
    return [Interacting(cost, data, np.eye(k)[solve(cost, data, k, seed=seed).labels]) for data in samples]


def _grid(temperatures: Any, hottest: float) -> np.ndarray:
    if temperatures is None:
        return np.geomspace(TEMPERATURE_RATIO * (hottest or 1.0), hottest or 1.0, 40)
    T = np.sort(np.atleast_1d(np.asarray(temperatures, dtype=float)))
    if not (T > 0).all():
        raise ValueError("temperatures must be above 0")
    return T


def summarise(curves: Curves, grids: list[np.ndarray]) -> list[AgreementDetails]:
    """For every model the temperature of most bits, on average over pairs."""
    found = []
    each = zip(curves.bits.swapaxes(0, 1), curves.errors.swapaxes(0, 1), curves.ceilings.mean(axis=0), grids)
    for bits, errors, most, T in each:
        mean = bits.mean(axis=0)
        best = int(mean.argmax())
        if not mean[best] > 0:
            found.append(AgreementDetails(Score(0.0, 0.0), np.inf, 0.0, T, mean, float(most)))
            continue
        between = bits[:, best].var(ddof=1) / len(bits) if len(bits) > 1 else 0.0
        score = Score(float(mean[best]), float(np.sqrt(between + (errors[:, best] ** 2).mean())))
        found.append(
            AgreementDetails(score, _peak(T, mean, best), score.value * curves.n_objects, T, mean, float(most))
        )
    return found


def _peak(T: np.ndarray, curve: np.ndarray, best: int) -> float:
    """The top of the parabola through the best point and its neighbours, in log T."""
    if not 0 < best < len(T) - 1:
        return float(T[best])
    x, y = np.log(T[best - 1 : best + 2]), curve[best - 1 : best + 2]
    second, first, _ = np.polyfit(x - x[1], y, 2)
    return float(T[best]) if not second < 0 else float(T[best] * np.exp(np.clip(-first / (2 * second), -1, 1)))
