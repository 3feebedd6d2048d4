"""How far two posteriors over labellings agree, beyond what their priors agree by themselves.

    κ(X′, X″) = Σ_c p(c|X′) p(c|X″)                       the kernel
    A(X′, X″) = log Σ_c p(c|X′) p(c|X″) / p(c)            = log |C| κ for the uniform prior p(c) = 1 / |C|

For independent objects both are sums over rows, A = Σ_i log Σ_a p′_ia p″_ia / π_a. Names of clusters mean nothing, so a
posterior that has settled for one way to name them stands for all K!: the kernel is the mean over renamings of X″,

    A = log (1/K!) Σ_ρ exp Σ_i log Σ_a p′_ia p″_iρ(a) / π_a,

and at most log K! below the value of the best renaming, which is an assignment problem on the expected overlap.

If X′ and X″ are measured independently, the mean of exp A is at most 1, so A of a row is on average negative: it is a
lower bound of their mutual information (Donsker & Varadhan 1983), reached by the posterior of the true model.
Reference: Buhmann, Information theoretic model validation for clustering, ISIT 2010.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from math import factorial, lgamma
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

MOST_TERMS = 100_000  # rows × renamings up to which all renamings are summed
LEAST_PROBABILITY = 1e-300
PRIORS = ("uniform", "sizes")


class Agreed(NamedTuple):
    """A in nats: of all objects together, and of each under the best renaming."""

    total: float
    rows: np.ndarray


def agreement(p: np.ndarray, q: np.ndarray, *, prior: str = "uniform", named: bool = False) -> Agreed:
    """Of independent objects with label probabilities p and q (n, k); `named` labels are never renamed."""
    if prior not in PRIORS:
        raise ValueError(f"prior={prior!r} is not known; choose 'uniform' or 'sizes'")
    p, q = same_width(p, q)
    n, k = p.shape
    table = 1 / prior_table(p, q, prior)
    order = np.arange(k) if named else best_renaming(p, q)
    rows = np.log(np.maximum(np.einsum("ia,ia,a->i", p, q[:, order], table[np.arange(k), order]), LEAST_PROBABILITY))
    if named or k == 1:
        return Agreed(float(rows.sum()), rows)
    if n * factorial(k) > MOST_TERMS:
        return Agreed(float(rows.sum()) - lgamma(k + 1), rows)
    sums = all_renamings(p, q, table)
    return Agreed(float(sums.max() + np.log(np.exp(sums - sums.max()).sum())) - lgamma(k + 1), rows)


def same_width(p: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same number of labels on both sides; those only one side has get no probability on the other."""
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    k = max(p.shape[1], q.shape[1])
    return tuple(r if r.shape[1] == k else np.pad(r, ((0, 0), (0, k - r.shape[1]))) for r in (p, q))  # type: ignore[return-value]


def prior_table(p: np.ndarray, q: np.ndarray, prior: str) -> np.ndarray:
    """(k, k): the prior of label a on one side and b on the other, were these the same cluster."""
    k = p.shape[1]
    if prior == "uniform":
        return np.full((k, k), 1 / k)
    # the mean of both sides: then Σ_a m_a m′_a / π_a ≤ 1, and unrelated samples cannot seem to agree
    return np.maximum((p.mean(axis=0)[:, None] + q.mean(axis=0)) / 2, LEAST_PROBABILITY)


def best_renaming(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """order[a] is the cluster of q that is cluster a of p, by the largest expected overlap Σ_i p_ia q_ib."""
    return linear_sum_assignment(p.T @ q, maximize=True)[1]


def all_renamings(p: np.ndarray, q: np.ndarray, table: np.ndarray) -> np.ndarray:
    """(k!,): Σ_i log Σ_a p_ia q_iρ(a) / π for every renaming ρ."""
    from unmix.inference.agreement.renamings import sum_renamings

    renamings = names(p.shape[1])
    sums = np.empty(len(renamings))
    sum_renamings(p, q, table, renamings, LEAST_PROBABILITY, sums)
    return sums


@cache
def names(k: int) -> np.ndarray:
    """(k!, k): every way to name k clusters."""
    return np.array(list(permutations(range(k))))
