"""Whether the prototypes of a cost belong to its definition, and their statistics can be added up block by block."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np

from unmix.checks.evidence import Unchanged, leaves, require, require_close, take_objects
from unmix.core.summation.tree import merge
from unmix.costs.base import first_prototypes, n_objects

PERTURBATION = 1e-3  # the cost of a row by which copies of a prototype are moved, over the mean cost
SMALL = 2.0**-10  # of a share
FACTOR = 4.0  # by which they may then be nearer or farther than asked


def check_prototypes(cost: Any, data: Any, k: int, rng: np.random.Generator, previous: Any, scale: float) -> Any:
    """All promises of HasPrototypes; returns prototypes of random labels."""
    name, n = type(cost).__name__, n_objects(data)
    start = first_prototypes(cost, data, k) if previous is None else previous
    labels = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    found = _update(cost, data, np.eye(k)[labels], start)
    h = _distances(cost, data, found, k)
    words = f"{name}: distances to the best prototypes do not add up to total"
    require_close(h[np.arange(n), labels].sum(), cost.total(data, labels), words, scale)
    others = np.concatenate([np.arange(k), rng.integers(0, k, n - k)])
    elsewhere = cost.distances(data, _update(cost, data, np.eye(k)[others], start))
    saved = float((h - elsewhere)[np.arange(n), labels].sum())
    words = f"{name}: labels cost {saved:.3g} less at the prototypes of other labels than at those of their own"
    require(saved <= 1e-9 * scale, words)
    _check_rows(cost, data, found, h, k, rng)
    _check_statistics(cost, data, found, k, rng)
    _check_repeated_rows(cost, data, start, k, rng, scale)
    _check_empty_cluster(cost, data, found, k, rng)
    _check_no_rows(cost, data, found, k)
    return found


def _distances(cost: Any, data: Any, prototypes: Any, k: int) -> np.ndarray:
    name = type(cost).__name__
    with Unchanged(f"{name}.distances", prototypes=prototypes):
        h = np.asarray(cost.distances(data, prototypes))
    expected = (n_objects(data), k)
    require(h.shape == expected, f"{name}.distances has shape {h.shape}, expected {expected}: a row an object")
    require(np.isfinite(h).all(), f"{name}.distances holds NaN or infinity")
    return np.array(h, np.float64)


def _statistics(cost: Any, data: Any, q: np.ndarray, prototypes: Any) -> Any:
    with Unchanged(f"{type(cost).__name__}.statistics", q=q, prototypes=prototypes):
        return cost.statistics(data, q, prototypes)


def _update(cost: Any, data: Any, q: np.ndarray, previous: Any) -> Any:
    stats = _statistics(cost, data, q, previous)
    with Unchanged(f"{type(cost).__name__}.prototypes", stats=stats, previous=previous):
        return cost.prototypes(stats, previous)


def _added(name: str, first: Any, second: Any) -> Any:
    try:
        return merge(deepcopy(first), second)
    except (ValueError, TypeError, AttributeError) as error:
        raise AssertionError(
            f"{name}.statistics of two blocks cannot be added ({error}); they must be sums of one shape, however many "
            "rows there are. A cost whose best prototype is no function of sums has fields instead"
        ) from error


def _check_rows(cost: Any, data: Any, prototypes: Any, h: np.ndarray, k: int, rng: np.random.Generator) -> None:
    """A block of rows costs what its rows cost."""
    some = rng.permutation(len(h))[: max(1, len(h) // 2)]
    block = take_objects(data, some)
    if block is not None:
        words = f"{type(cost).__name__}.distances of a block are not those of its rows: each row stands for itself"
        require_close(_distances(cost, block, prototypes, k), h[some], words, float(np.abs(h).max()))


def _check_statistics(cost: Any, data: Any, prototypes: Any, k: int, rng: np.random.Generator) -> None:
    name, n = type(cost).__name__, n_objects(data)
    q, other = rng.dirichlet(np.ones(k), n), rng.dirichlet(np.ones(k), n)
    whole = _statistics(cost, data, q, prototypes)
    size = max((float(np.abs(leaf).max(initial=0.0)) for leaf in leaves(whole)), default=1.0)
    half = n // 2
    blocks = [(take_objects(data, part), q[part]) for part in (np.arange(half), np.arange(half, n))]
    if all(block is not None for block, _ in blocks):
        first, second = (_statistics(cost, block, share, prototypes) for block, share in blocks)
        words = f"{name}.statistics of two blocks do not add up to those of all rows; return sums, not means or counts"
        _compare(_added(name, first, second), whole, words, size)
    both = _added(name, whole, _statistics(cost, data, other, prototypes))
    words = f"{name}.statistics are not linear in q: those of q + p are not those of q plus those of p"
    _compare(_statistics(cost, data, q + other, prototypes), both, words, size)
    words = f"{name}.statistics are not linear in q: those of small shares are not small parts of those of q"
    small = [leaf / SMALL for leaf in leaves(_statistics(cost, data, SMALL * q, prototypes))]
    _compare(tuple(small), tuple(leaves(whole)), words, size)
    if isinstance(data, np.ndarray):
        single = leaves(_statistics(cost, data.astype(np.float32), q.astype(np.float32), prototypes))
        precise = all(leaf.dtype == np.float64 for leaf in single if leaf.dtype.kind == "f")
        require(precise, f"{name}.statistics of float32 rows are added up in float32; add in float64")


def _compare(found: Any, true: Any, words: str, size: float) -> None:
    parts, others = leaves(found), leaves(true)
    require(len(parts) == len(others), f"{words}: they have {len(parts)} and {len(others)} parts")
    for part, other in zip(parts, others, strict=True):
        require_close(part, other, words, size)


def _check_repeated_rows(cost: Any, data: Any, start: Any, k: int, rng: np.random.Generator, scale: float) -> None:
    """Shares q of 0, 1, 2 … in a cluster are the row as often in it."""
    n = n_objects(data)
    times = rng.integers(0, 3, (n, k))
    times[:k] += np.eye(k, dtype=times.dtype)  # no cluster is empty
    rows, labels = np.repeat(np.indices((n, k)).reshape(2, -1), times.ravel(), axis=1)
    repeated = take_objects(data, rows)
    if repeated is None:
        return
    found = _update(cost, data, times.astype(np.float64), start)
    paid = float((times * _distances(cost, data, found, k)).sum())
    words = f"{type(cost).__name__}: with shares q = 0, 1, 2 … the cost is not that of rows repeated as often"
    require_close(paid, cost.total(repeated, labels), words, scale)


def _check_empty_cluster(cost: Any, data: Any, previous: Any, k: int, rng: np.random.Generator) -> None:
    """A cluster that no row supports, not even through its neighbours, keeps its prototype."""
    if k < 2:
        return
    name, n = type(cost).__name__, n_objects(data)
    seen = []
    for _ in range(2):
        q = np.zeros((n, k))
        q[:, :-1] = rng.dirichlet(np.ones(k - 1), n) * rng.random((n, 1))
        found = _update(cost, data, q, previous)
        for leaf in leaves(found):
            require(
                leaf.dtype.kind != "f" or not np.isnan(leaf).any(),
                f"{name}.prototypes of an empty cluster hold NaN; keep the previous prototype there",
            )
        with np.errstate(all="ignore"):
            seen.append(np.asarray(cost.distances(data, found), np.float64)[:, -1])
    if np.isinf(seen[0]).all() or not np.allclose(seen[0], seen[1], rtol=1e-9):
        return  # a component of weight zero, or one that other clusters support
    words = f"{name}.prototypes: the prototype of an empty cluster is not the one it was"
    require_close(seen[0], _distances(cost, data, previous, k)[:, -1], words, float(np.abs(seen[0]).max()))


def _check_no_rows(cost: Any, data: Any, previous: Any, k: int) -> None:
    """Where nothing supports any prototype, all stay as they are; weights of components are 0 / 0 there."""
    with np.errstate(all="ignore"):
        found = _update(cost, data, np.zeros((n_objects(data), k)), previous)
        h = np.asarray(cost.distances(data, found), np.float64)
    words = f"{type(cost).__name__}.prototypes: without any row prototypes do not stay as they were"
    if np.isfinite(h).all():
        require_close(h, _distances(cost, data, previous, k), words, 1.0)


def check_transitions(cost: Any, prototypes: Any, rng: np.random.Generator) -> None:
    """`separation` is a dissimilarity, and `perturbed` moves prototypes about as far as asked."""
    name, k = type(cost).__name__, len(prototypes)
    apart = np.asarray(cost.separation(prototypes))
    require(apart.shape == (k, k), f"{name}.separation has shape {apart.shape}, expected {(k, k)}")
    words = f"{name}.separation is not symmetric, or negative, or not zero between a prototype and itself"
    fine = np.allclose(apart, apart.T) and (apart >= 0).all() and np.allclose(np.diag(apart), 0.0)
    require(fine, words)
    asked = np.full(k, PERTURBATION * max(float(apart.max()), np.finfo(float).tiny * 2.0**60))
    positions = getattr(cost, "positions", lambda rows: rows)(prototypes)
    with Unchanged(f"{name}.perturbed", prototypes=prototypes):
        moved = cost.perturbed(prototypes, rng.standard_normal(positions.shape), asked)
    far = np.diag(cost.separation(np.concatenate([prototypes, moved]))[:k, k:])
    near = (far > 0).all() and (far <= FACTOR * asked).all() and (far >= asked / FACTOR).all()
    require(near or k == 1, f"{name}.perturbed moves by {far.tolist()} where {asked.tolist()} was asked for")
