"""How many labellings cost at most γ, by their largest entropy: sums over rows in place of sampling.

    log N(γ) ≈ max over prototypes of  min over β ≥ 0 of  Σ_i log Σ_c exp(-β h_ic) + β (R_min + γ)

This is the entropy of independent labels whose mean cost is R_min + γ: to leading order in n, all labellings below the
level are typical for them. Labellings below it in both samples have two prices, β′ and β″, and h = β′ h′ + β″ h″.
The prototypes are those of annealing, each level begun where the colder one ended.

Of two labellings drawn below the level in one sample and in the other, how often would one be the other with its
objects in another order? By types t, the sizes of clusters, of which there are M_t = n! / Π t_c! labellings,

    log Σ_t N′_t N″_t / M_t ≈ the same for both samples together, each label c counted √τ_c times, τ the mean sizes

(the largest of S′(t) + S″(t) + n Σ t log t, whose slope at τ are the weights √τ in both).
References: Csiszár, The method of types, IEEE Trans. Inf. Theory 44 (1998); Rose, Proc. IEEE 86 (1998).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.costs.base import n_objects

MAX_STEPS, TOL = 40, 1e-3  # of EM at one level; it ends when log N changes by less than TOL nats
NEWTON_STEPS = 20
LARGEST_PRICE = 100.0  # price of a row's share of γ beyond which labels no longer change
TINY = 1e-300


class Limits(NamedTuple):
    """What each row of each sample may cost on average: in the best labelling, (samples, n), and γ / n more."""

    least: np.ndarray
    more: float

    @property
    def total(self) -> np.ndarray:
        return self.least.sum(axis=1) + self.more * self.least.shape[1]


class Group(NamedTuple):
    """Samples that share their labels: prototypes and price of each, shares (n, k), and what rows add to log N."""

    samples: list[Any]
    prototypes: list[Any]
    prices: np.ndarray
    shares: np.ndarray
    rows: np.ndarray


def begin(cost: Any, samples: list[Any], labels: np.ndarray, limits: Limits, k: int) -> Group:
    """A group at a labelling below the first limit."""
    q = np.eye(k)[labels]
    prices = np.full(len(samples), 1 / limits.more)
    return Group(samples, [adapt(cost, data, q) for data in samples], prices, q, np.full(len(q), np.inf))


def count_below(cost: Any, groups: list[Group], limits: list[Limits], by_type: bool = False) -> list[Group]:
    """Groups at the next level, with a limit for every sample; `by_type`, two groups with weights √τ of the labels."""
    prior, before = np.zeros(groups[0].shares.shape[1]), np.inf
    for _ in range(MAX_STEPS):
        if by_type:
            sizes = np.mean([group.shares.mean(axis=0) for group in groups], axis=0)
            prior = np.log(np.maximum(sizes, TINY)) / 2
        groups = [step(cost, group, limit, prior) for group, limit in zip(groups, limits)]
        total = float(sum(group.rows.sum() for group in groups))
        if abs(total - before) < TOL:
            break
        before = total
    return groups


def step(cost: Any, group: Group, limits: Limits, prior: np.ndarray) -> Group:
    """Prototypes for the shares, then prices and shares for these."""
    U = [adapt(cost, data, group.shares, u) for data, u in zip(group.samples, group.prototypes)]
    h = np.stack([np.asarray(cost.distances(data, u), np.float64) for data, u in zip(group.samples, U)])
    return Group(group.samples, U, *best_prices(h, limits, group.prices, prior))


def adapt(cost: Any, data: Any, q: np.ndarray, previous: Any = None) -> Any:
    """Prototypes of the shares; those of a cluster without any stay, and are those of all objects at first."""
    if previous is None:
        even = np.full_like(q, 1 / q.shape[1])
        start = cost.start(q.shape[1]) if hasattr(cost, "start") else np.zeros((q.shape[1], data.shape[1]))
        previous = cost.prototypes(cost.statistics(data, even, start), start)
    return cost.prototypes(cost.statistics(data, q, previous), previous)


def best_prices(
    h: np.ndarray, limits: Limits, prices: np.ndarray, prior: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Prices of least Σ log Z + β·limit over β ≥ 0, a convex function, by damped steps of Newton; h (samples, n, k)."""
    highest = LARGEST_PRICE / limits.more  # beyond it labels are fixed; where no labelling is below, N < 1
    damping = 1e-6
    q, rows = shares_at(h, limits, prices, prior)
    for _ in range(NEWTON_STEPS):
        slope, curvature = derivatives(h, limits.total, q)
        scale = np.diag(np.diag(curvature) + (1e-6 * limits.more) ** 2)
        while damping < 1e12:
            move = np.linalg.solve(curvature + damping * scale, -slope)
            trial = np.minimum(np.clip(prices + move, prices / 10, prices * 10), highest)
            q_trial, rows_trial = shares_at(h, limits, trial, prior)
            if rows_trial.sum() <= rows.sum():
                break
            damping *= 10
        else:
            break
        change = rows.sum() - rows_trial.sum()
        prices, q, rows, damping = trial, q_trial, rows_trial, max(damping / 10, 1e-12)
        if change < TOL / 100:
            break
    return prices, q, rows


def shares_at(h: np.ndarray, limits: Limits, prices: np.ndarray, prior: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gibbs shares, and log Z_i + β·limit of each row."""
    x = prior - sum(price * each for price, each in zip(prices, h))
    top = x.max(axis=1, keepdims=True)
    weights = np.exp(x - top)
    total = weights.sum(axis=1, keepdims=True)
    return weights / total, (top + np.log(total))[:, 0] + prices @ (limits.least + limits.more)


def derivatives(h: np.ndarray, limit: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """limit - <R> of each sample, and the covariance of the costs."""
    mean = np.einsum("ik,sik->si", q, h)
    away = h - mean[:, :, None]
    return limit - mean.sum(axis=1), np.einsum("ik,sik,tik->st", q, away, away)


def costs_of(cost: Any, data: Any, labels: np.ndarray, k: int) -> np.ndarray:
    """(n,): what each row costs under a labelling and the prototypes of it."""
    h = np.asarray(cost.distances(data, adapt(cost, data, np.eye(k)[labels])), np.float64)
    return h[np.arange(n_objects(data)), labels]  # type: ignore[no-any-return]
