"""Whether everything fast that a cost offers agrees with its definition."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.costs.base import Cost, HasFields, HasMoves, HasPrototypes, n_objects
from unmix.inference.enumerate import enumerate_labellings

MOST_LABELLINGS = 10_000  # of which a mean is taken


def check_cost(cost: Any, data: Any, n_clusters: int = 3, random_state: int = 0, prototypes: Any = None) -> list[str]:
    """Compare moves, fields, expected costs and prototypes of a cost with its `total` on the given data.

    Parameters
    ----------
    cost : Cost
        With `total`, and with any of the capabilities of `unmix.costs.base`.
    data : what the cost takes
        Small: every check evaluates `total` some hundred times.
    n_clusters : int, default=3
    random_state : int, default=0
    prototypes : what the cost takes for prototypes, optional
        Any, for a cost whose statistics are taken about those it had before.

    Returns
    -------
    list of str
        What was checked. A promise that is not kept raises an AssertionError that says which.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.checks import check_cost
    >>> from unmix.costs.least_angle import LeastAngle
    >>> check_cost(LeastAngle(), np.random.default_rng(0).normal(size=(8, 2)))
    ['total', 'moves', 'fields', 'expected', 'mean']
    """
    name, rng, n = type(cost).__name__, np.random.default_rng(random_state), n_objects(data)
    assert isinstance(cost, Cost), f"{name} has no method total(data, labels)"
    labels = rng.integers(0, n_clusters, n)
    value = cost.total(data, labels)
    assert np.isfinite(value), f"{name}.total is {value} for labels {labels.tolist()}"
    assert value == cost.total(data, labels.copy()), f"{name}.total differs between two equal calls"
    done = ["total"]
    for kind, words, check in (
        (HasMoves, "moves", _check_moves),
        (HasFields, "fields", _check_fields),
        (HasFields, "expected", _check_expected),
        (HasFields, "mean", _check_mean),
    ):
        if isinstance(cost, kind) and check(cost, data, n_clusters, rng) is not False:
            done.append(words)
    if isinstance(cost, HasPrototypes):
        _check_prototypes(cost, data, n_clusters, rng, prototypes)
        done.append("prototypes")
    return done


def totals(cost: Any, data: Any, labels: np.ndarray, i: int, k: int) -> np.ndarray:
    """The cost with object i in each cluster."""
    return np.array([cost.total(data, np.where(np.arange(len(labels)) == i, c, labels)) for c in range(k)])


def _close(a: Any, b: Any, words: str) -> None:
    scale = max(float(np.abs(b).max()), 1.0)
    worst = float(np.abs(np.asarray(a) - b).max())
    assert worst <= 1e-6 * scale, f"{words}: they differ by up to {worst:.3g}"


def _check_moves(cost: Any, data: Any, k: int, rng: np.random.Generator) -> None:
    from unmix.costs.moves import move_costs, shift

    n = n_objects(data)
    labels = rng.integers(0, k, n)
    state, out = cost.state(data, np.eye(k)[labels]), np.empty(k)
    for i in rng.integers(0, n, 20):
        move_costs(state, i, np.eye(k)[labels[i]], out)
        true = totals(cost, data, labels, i, k)
        _close(out - out[labels[i]], true - true[labels[i]], "move_costs are not differences of total")
        new = int(rng.integers(k))
        shift(state, i, labels[i], -1.0)
        shift(state, i, new, 1.0)
        labels[i] = new
    for name, part, anew in zip(state._fields, state, cost.state(data, np.eye(k)[labels]), strict=True):
        if np.size(anew):
            _close(part, anew, f"after moves the running sum {name!r} is not that of the labels")


def _check_fields(cost: Any, data: Any, k: int, rng: np.random.Generator) -> None:
    labels = rng.integers(0, k, n_objects(data))
    h = cost.fields(data, np.eye(k)[labels])
    for i in rng.integers(0, len(labels), 10):
        true = totals(cost, data, labels, i, k)
        _close(h[i] - h[i, 0], true - true[0], "fields at hard labels are not differences of total")


def _check_expected(cost: Any, data: Any, k: int, rng: np.random.Generator) -> None:
    for _ in range(5):
        labels = rng.integers(0, k, n_objects(data))
        true = cost.total(data, labels)
        _close(cost.expected(data, np.eye(k)[labels]), true, "expected at hard labels is not total")


def _check_mean(cost: Any, data: Any, k: int, rng: np.random.Generator) -> bool:
    """What claims to be the mean under independent labels, or never below it; False where nothing is claimed."""
    n, bound, exact = n_objects(data), getattr(cost, "mean_is_bound", False), hasattr(cost, "mean")
    if not (bound or exact) or k**n > MOST_LABELLINGS:
        return False
    every = enumerate_labellings(cost, data, k, 1.0)
    for _ in range(5):
        q = rng.dirichlet(np.full(k, 0.7), n)
        true = float(np.prod([q[i][every.labellings[:, i]] for i in range(n)], axis=0) @ every.costs)
        below, size = true - cost.expected(data, q), float(np.abs(every.costs).max())
        assert not bound or below <= 1e-9 * size, f"expected is {below:.3g} below the mean, and mean_is_bound denies it"
        if exact and not np.isnan(cost.mean(data, q)):
            _close(cost.mean(data, q), true, "mean is not that of independent labels")
    return True


def _check_prototypes(cost: Any, data: Any, k: int, rng: np.random.Generator, previous: Any) -> None:
    labels = np.concatenate([np.arange(k), rng.integers(0, k, n_objects(data) - k)])
    q = np.eye(k)[labels]
    found = cost.prototypes(cost.statistics(data, q, previous), previous)
    paid = cost.distances(data, found)[np.arange(len(labels)), labels].sum()
    _close(paid, cost.total(data, labels), "distances to the best prototypes do not add up to total")
