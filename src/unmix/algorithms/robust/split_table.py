"""A table into its low-rank and its sparse part, whatever its scale, gaps and weights.

The pursuit is homogeneous, so the table is first brought to unit size, after entries far beyond the rest were brought
nearer (far_entries.py); a row of weight w enters as √w times itself at √w times the price (problem.py), one of weight 0
not at all, and what was never observed costs nothing.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from unmix.algorithms.robust.far_entries import SIZE_LIMIT, clip_far, moved_signs, not_outside, typical_size, widened
from unmix.algorithms.robust.problem import Problem, Pursued, Split, default_price
from unmix.algorithms.robust.pursuit import pursue
from unmix.algorithms.robust.stable import pursue_stable
from unmix.core.linalg import fix_signs, power_of_two


class Separated(NamedTuple):
    """Both parts, the singular values and row directions of the first, and how it was reached."""

    low_rank: np.ndarray
    sparse: np.ndarray
    values: np.ndarray
    components: np.ndarray
    price: float
    delta: float
    gap: float
    n_iter: int
    converged: bool


def split_table(
    X: np.ndarray, price: float | None, noise: float, weights: np.ndarray | None, *, tol: float, max_iter: int
) -> Separated:
    """The split of X, NaN where not observed; ``price`` None is the default λ.

    Single precision is computed in double, to a gap that its rounding allows. Rows of weight 0 are left zero.
    """
    if weights is not None and not weights.all():
        return _among_all(split_table(X[weights > 0], price, noise, weights[weights > 0], tol=tol, max_iter=max_iter),
                          weights > 0)  # fmt: skip
    precision = float(np.finfo(X.dtype).eps)
    X, tol = X.astype(np.float64, copy=False), max(tol, 50 * precision)
    observed = ~np.isnan(X)
    if not observed.any():
        raise ValueError("X has no observed value; every entry is NaN")
    n, d = X.shape
    roots = np.ones(n) if weights is None else np.sqrt(weights)
    total = float(np.square(roots).sum())
    share = float(np.square(roots) @ observed.mean(axis=1)) / total
    price = default_price(total, d, share) if price is None else price
    spread = float(np.sqrt(share) * (np.sqrt(total) + np.sqrt(d)))
    table = _Table(np.where(observed, X, 0.0), None if observed.all() else observed, roots, price, precision)
    found, scale, moved = _pursue_near(table, noise * spread, tol, max_iter)
    split = found.split
    low_rank = split.L / roots[:, None] / scale
    sparse = np.where(observed, split.S, 0.0) / roots[:, None] / scale + moved
    values, components = split.values / scale, fix_signs(split.V) if len(split.V) else split.V
    delta = noise * spread
    return Separated(low_rank, sparse, values, components, price, delta, found.gap, found.n_iter, found.converged)


def _among_all(found: Separated, kept: np.ndarray) -> Separated:
    """With zeros for the rows that were left out."""
    low_rank, sparse = (np.zeros((len(kept), part.shape[1])) for part in (found.low_rank, found.sparse))
    low_rank[kept], sparse[kept] = found.low_rank, found.sparse
    return found._replace(low_rank=low_rank, sparse=sparse)


class _Table(NamedTuple):
    """X with 0 for what is missing, what is observed, √weight of the rows, λ, and the rounding X has gone through."""

    X: np.ndarray
    observed: np.ndarray | None
    roots: np.ndarray
    price: float
    precision: float


def _pursue_near(table: _Table, delta: float, tol: float, max_iter: int) -> tuple[Pursued, float, np.ndarray]:
    """The split of the nearer table, its scale, and what was taken from X; again while an entry should have stayed."""
    bounds, n_iter = np.full((1, 1), SIZE_LIMIT * typical_size(np.abs(table.X))), 0
    for attempt in itertools.count():
        near = clip_far(table.X, bounds)
        moved, roots, price = table.X - near, table.roots, table.price * table.roots
        scale = power_of_two(float(np.abs(near).max()))
        with np.errstate(over="ignore"):  # infinite where no number is as large
            excess = float(price @ (np.abs(moved).sum(axis=1) * roots) * scale)
        signs = moved_signs(table.X, near)
        problem = Problem(near * scale * roots[:, None], table.observed, price, table.precision, excess, signs)
        found = _solve(problem, delta * scale, tol, max(max_iter - n_iter, 1))
        n_iter += found.n_iter
        inside = not_outside(signs, found.split.S)
        if not inside.any():
            break
        if n_iter >= max_iter:  # nothing is proven: 0 bounds the cost from below
            found = found._replace(gap=1.0, converged=False)
            break
        bounds = widened(bounds, inside, typical_size(np.abs(table.X[inside])), attempt)
    return found._replace(n_iter=n_iter), scale, moved


def _solve(problem: Problem, delta: float, tol: float, max_iter: int) -> Pursued:
    n, d = problem.X.shape
    if not problem.X.any():
        nothing = Split(np.zeros((n, 0)), np.zeros(0), np.zeros((0, d)), np.zeros((n, d)))
        return Pursued(nothing, 0.0, 0, True)
    if delta > 0:
        return pursue_stable(problem, delta, tol=tol, max_iter=max_iter)
    return pursue(problem, tol=tol, max_iter=max_iter)
