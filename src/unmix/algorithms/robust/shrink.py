"""One step of the multipliers Y of principal component pursuit, in one pass over the entries.

With R = X - L + Y/μ the sparse part is S = shrink(R, price/μ), so that

    Y⁺ = Y + μ (X - L - S) = clip(Y + μ (X - L), ±price)

and the matrix whose singular values are shrunk next is

    W⁺ = X - S + Y⁺/μ⁺ = L + (Y⁺ - Y)/μ + Y⁺/μ⁺

S itself is never stored: X - L - S = (Y⁺ - Y)/μ is the primal residual, S⁺ - S = W - L - Y⁺/μ makes the dual one.
Rows are taken a few at a time, so that what is computed stays in the cache.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.robust.problem import Problem

CHUNK = 8_192  # entries


class Moved(NamedTuple):
    """Norms of X - L - S and of the change of S; how many entries entered or left the support of S."""

    primal: float
    change: float
    switched: int


def shrink_step(problem: Problem, L: np.ndarray, Y: np.ndarray, W: np.ndarray, mu: float, next_mu: float) -> Moved:
    """Advance ``Y`` and ``W`` in place."""
    n, d = problem.X.shape
    rows = max(1, CHUNK // d)
    buffers = np.empty((2, rows, d))
    primal = change = 0.0
    switched = 0
    for start in range(0, n, rows):
        part = slice(start, min(start + rows, n))
        y, w, low = Y[part], W[part], L[part]
        new, work = buffers[0, : len(y)], buffers[1, : len(y)]
        price = problem.price[part, None]
        np.subtract(problem.X[part], low, out=new)
        new *= mu
        new += y
        np.clip(new, -price, price, out=new)
        if problem.observed is not None:
            new *= problem.observed[part]
        switched += int(np.count_nonzero((np.abs(new) >= price) != (np.abs(y) >= price)))
        np.subtract(w, low, out=w)
        np.multiply(new, 1 / mu, out=work)
        w -= work
        change += float(np.vdot(w, w))
        np.subtract(new, y, out=work)
        primal += float(np.vdot(work, work))
        work *= 1 / mu
        work += low
        np.multiply(new, 1 / next_mu, out=w)
        w += work
        y[...] = new
    return Moved(float(np.sqrt(primal)) / mu, float(np.sqrt(change)), switched)
