"""A table into its low-rank and its sparse part, whatever its scale, gaps and weights.

The pursuit is homogeneous, so the table is first brought to unit size; a row of weight w enters as √w times itself at
√w times the price (problem.py), and what was never observed costs nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.core.linalg import fix_signs, power_of_two
from unmix.factors.robust.problem import Problem, Pursued, Split, default_price
from unmix.factors.robust.pursuit import pursue
from unmix.factors.robust.stable import pursue_stable


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

    Single precision is computed in double, to a gap that its rounding allows.
    """
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
    scale = power_of_two(float(np.abs(X[observed]).max()))
    filled = np.where(observed, X, 0.0) * scale * roots[:, None]
    problem = Problem(filled, None if observed.all() else observed, price * roots, precision)
    delta = noise * scale * float(np.sqrt(share) * (np.sqrt(total) + np.sqrt(d)))
    found = _solve(problem, delta, tol, max_iter)
    split, undo = found.split, np.divide(1.0, roots, out=np.zeros(n), where=roots > 0)[:, None]
    low_rank = (split.U * split.values) @ split.V * undo / scale
    sparse = split.S * undo / scale
    values, components = split.values / scale, fix_signs(split.V) if len(split.V) else split.V
    return Separated(
        low_rank, sparse, values, components, price, delta / scale, found.gap, found.n_iter, found.converged
    )


def _solve(problem: Problem, delta: float, tol: float, max_iter: int) -> Pursued:
    n, d = problem.X.shape
    if not problem.X.any():
        nothing = Split(np.zeros((n, 0)), np.zeros(0), np.zeros((0, d)), np.zeros((n, d)))
        return Pursued(nothing, 0.0, 0, True)
    if delta > 0:
        return pursue_stable(problem, delta, tol=tol, max_iter=max_iter)
    return pursue(problem, tol=tol, max_iter=max_iter)
