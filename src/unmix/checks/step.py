"""Whether an inference step follows the Gibbs distribution it claims to follow."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np

from unmix.checks.draws import FEW_VISITS, check_visits, check_walk
from unmix.checks.evidence import Examined, HoldsParameters, Unchanged, fingerprint, require
from unmix.checks.exact_law import ExactLaw
from unmix.checks.scaled_cost import SCALES, only, scaled
from unmix.checks.shares import check_cooling
from unmix.costs.base import HasPrototypes, first_prototypes, n_objects
from unmix.inference.anneal import anneal
from unmix.inference.enumerate import MOST_LABELLINGS
from unmix.inference.step import NEEDS, PARTS, Step, Visit, refuse_unless_fit

ENTROPIES = (0.85, 0.55)  # shares of the largest, at temperatures between chance and frost
SEEDS = 3  # of runs down to zero temperature


def check_step(
    step: Step, cost: Any, data: Any, n_clusters: int = 3, temperature: float | None = None, seed: int = 0
) -> None:
    """Let a step follow a tiny problem and compare with the enumeration of all labellings.

    - Shares are probabilities, two runs with one seed agree, a run goes on from its state alone, and nothing given is
      changed: not the state, the data or the cost.
    - A step that samples (its visits tell no entropy) has the mean cost, and the pairs of objects that share a cluster,
      of the Gibbs distribution, at two temperatures between chance and frost, by its visits and by its `walk`.
    - In another unit of the cost, a thousand times larger or smaller, it follows the same distribution; for a step that
      needs moves this is not tried.
    - A step that tells its entropy tells the mean cost of its shares too. All the way down these are the Gibbs
      distribution of own fields (or prototypes, or vectors); it neither stays where all clusters are alike nor claims
      less than the free energy.
    - At zero temperature no object may gain by moving; given the prototypes, for a step that needs these.
    - It uses no more of a cost than it requires.

    Parameters
    ----------
    step : Step
    cost : Cost
        With what the step requires.
    data : what the cost takes
        Tiny: all labellings are written down. 6 objects are enough.
    n_clusters : int, default=3
        With two, what is proposed from a label has no direction.
    temperature : float, optional
        One more temperature at which to compare, besides two at which labels are nearly, and about half, free.
    seed : int, default=0

    Raises
    ------
    AssertionError
        Says which promise is broken, and by how much.
    TypeError
        Where the cost does not have what the step requires.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.checks import check_step
    >>> from unmix.costs import LeastAngle
    >>> from unmix.inference import MeanField
    >>> check_step(MeanField(), LeastAngle(), np.random.default_rng(0).normal(size=(6, 2)))
    """
    _check_given(step, cost, data, n_clusters)
    law = ExactLaw.of(cost, data, n_clusters)
    temperatures = [law.temperature_of(share) for share in ENTROPIES] + ([temperature] if temperature else [])
    name = type(step).__name__
    with Examined(name), HoldsParameters(step), HoldsParameters(cost), Unchanged(name, data=data):
        visit = _check_one_visit(step, cost, data, n_clusters, temperatures[0], seed)
        _check_run(step, cost, data, n_clusters, temperatures[1], seed)
        for turn in range(SEEDS):
            _check_frozen(step, cost, data, n_clusters, temperatures[1], seed + turn)
        samples = bool(np.isnan(visit.entropy))
        if samples:
            for T in temperatures:
                free = temperatures[0] <= T
                check_visits(step, cost, data, law, T, seed, free)
                if hasattr(step, "walk"):
                    check_walk(step, cost, data, law, T, seed, free)
        else:
            check_cooling(step, cost, data, law, temperatures, seed)
        _check_requirement(step, cost, data, n_clusters, temperatures[1], seed)
        for scale in SCALES:
            _check_scaled(step, cost, data, law, temperatures, scale, seed, samples)


def _check_given(step: Any, cost: Any, data: Any, k: int) -> None:
    """What is given is a step, for this cost, and a problem small enough to be enumerated."""
    require(
        not isinstance(step, type), f"{getattr(step, '__name__', step)} is a class; give a step of it, made with ()"
    )
    missing = [part for part in PARTS if not hasattr(step, part)]
    require(not missing, f"{type(step).__name__} is no step: it has no {', '.join(missing)}")
    require(
        all(isinstance(kind, type) for kind in _kinds(step)),
        f"{type(step).__name__}.requires is {step.requires!r}, expected a capability of unmix.costs, such as HasFields",
    )
    refuse_unless_fit(step, cost)
    n = n_objects(data)
    require(
        k**n <= MOST_LABELLINGS,
        f"data has {n} objects, and check_step enumerates all {k}^{n} labellings; give about 6 objects",
    )


def _check_one_visit(step: Any, cost: Any, data: Any, k: int, T: float, seed: int) -> Visit:
    """A state is not changed by a visit, which may be made again from it."""
    name = type(step).__name__
    state = step.begin(cost, data, k, np.random.default_rng(seed))
    _check_shares(name, step.shares(state), n_objects(data), k)
    with Unchanged(f"{name}.visit", state=state):
        found = step.visit(cost, data, state, T, np.random.default_rng(seed + 1))
    require(
        type(found) is tuple and len(found) == 2 and isinstance(found[1], Visit),
        f"{name}.visit returns {type(found).__name__}, expected the next state and a Visit: return state, Visit(…)",
    )
    first, visit = found
    second, _ = step.visit(cost, data, state, T, np.random.default_rng(seed + 1))
    same = fingerprint([first, step.shares(first)]) == fingerprint([second, step.shares(second)])
    require(same, f"{name}.visit differs between two calls with the same state and generator: draw from rng alone")
    known = np.isfinite(visit.cost) or np.isfinite(visit.entropy)
    require(known, f"{name}.visit tells neither a mean cost nor an entropy: nothing can be compared")
    require(not (visit.moved < 0 or visit.moved > 1), f"{name}.visit tells that {visit.moved} moved, expected a share")
    require(not visit.variance < 0, f"{name}.visit tells a negative variance, {visit.variance}")
    samples = np.isnan(visit.entropy) and not hasattr(step, "walk")
    require(
        not samples or hasattr(step, "restart"),
        f"{name} samples and has no restart(q), by which it stays at a temperature above zero and draws",
    )
    if hasattr(step, "restart"):
        q = np.eye(k)[np.random.default_rng(seed).integers(0, k, n_objects(data))]
        require(np.allclose(step.shares(step.restart(q)), q), f"{name}.restart(q) does not begin at the shares q")
    return visit


def _check_shares(name: str, shares: Any, n: int, k: int) -> None:
    shares = np.asarray(shares)
    require(shares.shape == (n, k), f"{name}.shares has shape {shares.shape}, expected {(n, k)}")
    require(np.allclose(shares.sum(axis=1), 1.0), f"shares of {name} do not sum to one")
    require((shares >= 0).all(), f"shares of {name} are negative: {shares.min():.3g}")


def _check_run(step: Any, cost: Any, data: Any, k: int, T: float, seed: int) -> None:
    """With one seed a run is one run, and its state is all that the next temperature needs."""
    name, cooling = type(step).__name__, T * np.array([4.0, 2.0, 1.0])
    found, again = (anneal(step, cost, data, k, cooling, seed=seed) for _ in range(2))
    _check_shares(name, found.shares, n_objects(data), k)
    require(np.array_equal(found.shares, again.shares), f"two runs of {name} with one seed differ: draw from rng alone")
    halfway = anneal(step, cost, data, k, cooling[:2], seed=seed).state
    ends = [
        part.shares(part.visit(cost, data, state, T, np.random.default_rng(seed))[0])
        for part, state in ((step, halfway), (deepcopy(step), deepcopy(halfway)))
    ]
    require(
        np.array_equal(*ends),
        f"{name} goes on differently from a copy of its state: all that the next visit needs belongs into the state",
    )


def _check_frozen(step: Any, cost: Any, data: Any, k: int, T: float, seed: int) -> None:
    """Whether an object could gain at zero temperature, by the definition or, for such steps, given the prototypes."""
    name, n = type(step).__name__, n_objects(data)
    ended = anneal(step, cost, data, k, T * np.append(np.geomspace(4.0, 0.01, 12), 0.0), seed=seed)
    cold = ended.labels
    if needs_prototypes(step) and isinstance(cost, HasPrototypes):
        start, q = first_prototypes(cost, data, k), np.eye(k)[cold]
        start = cost.prototypes(cost.statistics(data, ended.shares, start), start)
        moved = cost.distances(data, cost.prototypes(cost.statistics(data, q, start), start))
    else:
        moved = np.array([_totals(cost, data, cold, i, k) for i in range(n)])
    gains = moved[np.arange(n), cold] - moved.min(axis=1)
    i, size = int(gains.argmax()), float(np.abs(moved[np.isfinite(moved)]).max())
    require(gains[i] <= 1e-8 * size, f"{name} at zero temperature leaves object {i} to gain {gains[i]:.3g}")


def _check_scaled(
    step: Any, cost: Any, data: Any, law: ExactLaw, temperatures: list[float], scale: float, seed: int, samples: bool
) -> None:
    """The same in another unit of the cost, where this is no matter of kernels."""
    other = scaled(cost, _kinds(step), scale)
    if other is None:
        return
    known, Ts = law._replace(costs=scale * law.costs), [scale * T for T in temperatures]
    if samples:
        check_visits(step, other, data, known, Ts[0], seed, True, FEW_VISITS)
    else:
        check_cooling(step, other, data, known, Ts, seed)


def _totals(cost: Any, data: Any, labels: np.ndarray, i: int, k: int) -> list[float]:
    numbers = np.arange(len(labels))
    return [cost.total(data, np.where(numbers == i, c, labels)) for c in range(k)]


def _kinds(step: Any) -> tuple[Any, ...]:
    """The capabilities of which one will do."""
    return step.requires if isinstance(step.requires, tuple) else (step.requires,)


def needs_prototypes(step: Any) -> bool:
    return HasPrototypes in _kinds(step)


def _check_requirement(step: Any, cost: Any, data: Any, k: int, T: float, seed: int) -> None:
    """The step on a cost that offers what is required and nothing else."""
    kind = next(kind for kind in _kinds(step) if isinstance(cost, kind))
    bare = only(cost, kind)
    try:
        anneal(step, bare, data, k, [2 * T, T], seed=seed)
    except AttributeError as error:
        raise AssertionError(
            f"{type(step).__name__} requires {NEEDS.get(kind, kind.__name__)} and uses more of a cost: {error}; "
            "require what it needs, or ask first with isinstance"
        ) from error
