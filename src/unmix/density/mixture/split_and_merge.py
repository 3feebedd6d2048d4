"""Split and merge: where EM has ended, two components are joined and a third is cut in two, if the likelihood rises.

EM cannot move a component across a gap: where two share one group and another holds two, it stays so. What two parts of
the rows are worth above the two as one is known from their sums, without a step of EM: with masses N and covariances Σ
it is the excess of the likelihood of rows and labels together,

    Σ_i N_i (log N_i / N - ½ log |Σ_i|)  +  N ½ log |Σ|.

A move promises the excess of the cut less that of the join; the most promising are tried with a few steps of EM. A
component is cut across its longest axis, or where the fourth moments of its rows, their correlations removed, are least
or largest: least across two groups of like size, largest towards a small one. Then the cut is turned to the line
between the means of both sides. Also the union of two components is cut anew.
Reference: Ueda, Nakano, Ghahramani and Hinton, SMEM algorithm for mixture models, Neural Computation 12 (2000).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import Diagonal, Family, Spherical
from unmix.costs.gaussian.mixture import Mixture
from unmix.density.mixture.race import SHORT, Legs, Sample, statistics_of_shares, winner
from unmix.density.mixture.start import lend_shape
from unmix.inference.expectation import marginals

ROUNDS, TRIALS = 8, 4
PROMISING = -0.02  # nats a row from which a move is tried
NEIGHBOURS = 8  # with which a component may be joined
RECUT = 4  # unions of two components that are cut anew
TURNS = 2  # of a cut towards the line between the means of its sides
SAME = 0.95  # share of the rows on the same side of two cuts that are one
ROUNDING = 1e-12  # share of the largest variance that float64 cannot tell from none
THIN = 1e-6  # variance, in columns of spread 1, below which a component counts as no thinner


class Parts(NamedTuple):
    """Mass, mean and scatter about it of several sets of rows."""

    mass: np.ndarray  # (p,)
    mean: np.ndarray  # (p, d)
    scatter: np.ndarray  # (p, d, d)

    def of(self, chosen: Any) -> Parts:
        return Parts(self.mass[chosen], self.mean[chosen], self.scatter[chosen])


class Move(NamedTuple):
    """Join two components, and cut one; the rows on the one side of the cut go to the component set free."""

    promise: float
    join: tuple[int, int]
    cut: int
    side: np.ndarray  # (m,)


def split_and_merge(sample: Sample, cost: Gaussian, found: Mixture, gain: float, legs: Legs = SHORT) -> Mixture | None:
    """A mixture likelier than the one found, by a gain for each row of the sample; None if no move gives one."""
    mixture = found
    for _ in range(ROUNDS):
        tried = moves(sample, cost, mixture)
        better = winner(sample, cost, tried, mixture, gain, legs) if tried else None
        if better is None:
            break
        mixture = better
    return None if mixture is found else mixture


def moves(sample: Sample, cost: Gaussian, mixture: Mixture) -> list[Mixture]:
    """The mixture after each of its most promising moves."""
    own = sample.weights
    q = marginals(sample.rows, np.ones(len(own)), cost, mixture, 1.0)[0].astype(np.float64)
    return [moved(sample, q, cost, move) for move in promising(sample.view, own, q, cost.family)[:TRIALS]]


def moved(sample: Sample, q: np.ndarray, cost: Gaussian, move: Move) -> Mixture:
    """The mixture after the move, from the shares q of the rows; both sides of the cut lend shape from all."""
    (a, b), c, q = move.join, move.cut, q * sample.weights[:, None]
    q[:, a] += q[:, b]
    q[:, b] = np.where(move.side, q[:, c], 0.0)
    q[:, c] -= q[:, b]
    stats, around = statistics_of_shares(sample.rows, q, cost)
    return lend_shape(cost.prototypes(stats, around), stats.mass, cost, np.isin(np.arange(q.shape[1]), (b, c)))


def promising(view: np.ndarray, own: np.ndarray, q: np.ndarray, family: Family) -> list[Move]:
    """The moves that may pay, the most promising first."""
    labels, total = q.argmax(1), float(own.sum())
    inside = [np.flatnonzero(labels == c) for c in range(q.shape[1])]
    parts = stacked([measure(view[rows], own[rows]) for rows in inside])
    rule = Excess(family, total, parts.scatter.sum(0) / total)
    pairs = neighbours(parts)
    losses = rule.of_join(parts.of(pairs[:, 0]), parts.of(pairs[:, 1]))
    order = np.argsort(losses, kind="stable")[: NEIGHBOURS + len(inside)]
    found: list[Move] = []
    for c, rows in enumerate(inside):
        gain, side = max(cuts(view, own, rows, rule), key=lambda cut: cut[0], default=(-np.inf, NO_SIDE))
        joins = [(losses[p], (int(pairs[p, 0]), int(pairs[p, 1]))) for p in order if c not in pairs[p]]
        found += [Move(gain - loss, join, c, side) for loss, join in joins]
    for p in order[:RECUT]:
        a, b = (int(c) for c in pairs[p])
        rows = np.sort(np.concatenate([inside[a], inside[b]]))
        for gain, side in cuts(view, own, rows, rule.with_join(parts.of([a]), parts.of([b]))):
            same = own[rows] @ (side[rows] == (labels[rows] == a)) / own[rows].sum()
            if max(same, 1 - same) < SAME:
                found.append(Move(gain - losses[p], (a, b), a, side))
    return sorted((move for move in found if move.promise > PROMISING * total), key=lambda move: -move.promise)


NO_SIDE = np.zeros(0, dtype=bool)


def measure(rows: np.ndarray, own: np.ndarray) -> Parts:
    mass, d = float(own.sum()), rows.shape[1]
    mean = own @ rows / mass if mass > 0 else np.zeros(d)
    away = rows - mean
    return Parts(np.array([mass]), mean[None], ((away * own[:, None]).T @ away)[None])


def stacked(parts: list[Parts]) -> Parts:
    return Parts(*(np.concatenate(field) for field in zip(*parts)))


def joined(a: Parts, b: Parts) -> tuple[Parts, np.ndarray]:
    """The two as one, and what the distance of the means weighs in its scatter: mass times vector, as a root."""
    mass = a.mass + b.mass
    root = np.sqrt(a.mass * b.mass / mass)[:, None] * (a.mean - b.mean)
    mean = (a.mass[:, None] * a.mean + b.mass[:, None] * b.mean) / mass[:, None]
    return Parts(mass, mean, a.scatter + b.scatter + root[:, :, None] * root[:, None, :]), root


def neighbours(parts: Parts) -> np.ndarray:
    """Pairs (p, 2) of components that hold rows, each with those whose means are nearest; every pair once."""
    there = np.flatnonzero(parts.mass > 0)
    means = parts.mean[there]
    squares = (means**2).sum(1)
    distance = squares[:, None] - 2 * means @ means.T + squares
    np.fill_diagonal(distance, np.inf)
    near = np.argsort(distance, axis=1, kind="stable")[:, : min(NEIGHBOURS, len(there) - 1)]
    pairs = np.stack([np.repeat(np.arange(len(there)), near.shape[1]), near.ravel()], axis=1)
    return np.asarray(there[np.unique(np.sort(pairs, axis=1), axis=0)].reshape(-1, 2))


class Excess:
    """What two parts are worth above the two as one, by the family of the covariances."""

    def __init__(self, family: Family, total: float, within: np.ndarray) -> None:
        self.family, self.total, self.within = family, total, within
        self.precision = np.linalg.inv(opened(within)) / total

    def with_join(self, a: Parts, b: Parts) -> Excess:
        """The rule after two components have been joined."""
        root = joined(a, b)[1][0]
        return Excess(self.family, self.total, self.within + np.outer(root, root) / self.total)

    def of_join(self, a: Parts, b: Parts) -> np.ndarray:
        both, root = joined(a, b)
        if not self.family.shared:
            return self._labels(a, b) + self._volume(both) - self._volume(a) - self._volume(b)
        # |W + r rᵀ| = |W| (1 + rᵀ W⁻¹ r), W the scatter within all components
        return self._labels(a, b) + self.total / 2 * np.log1p(np.einsum("pi,ij,pj->p", root, self.precision, root))

    def of_cut(self, a: Parts, b: Parts) -> np.ndarray:
        if not self.family.shared:
            return self.of_join(a, b)
        root = joined(a, b)[1]
        left = 1 - np.einsum("pi,ij,pj->p", root, self.precision, root)
        return self._labels(a, b) - self.total / 2 * np.log(np.maximum(left, THIN))

    def _labels(self, a: Parts, b: Parts) -> np.ndarray:
        mass = a.mass + b.mass
        return np.asarray(a.mass * np.log(a.mass / mass) + b.mass * np.log(b.mass / mass))

    def _volume(self, parts: Parts) -> np.ndarray:
        """N ½ log |Σ| of each part."""
        covariance = parts.scatter / parts.mass[:, None, None]
        variance, d = np.diagonal(covariance, axis1=1, axis2=2), covariance.shape[1]
        if isinstance(self.family, Spherical):
            logs = d * np.log(variance.mean(1) + THIN)
        elif isinstance(self.family, Diagonal):
            logs = np.log(variance + THIN).sum(1)
        else:
            logs = np.linalg.slogdet(opened(covariance))[1]
        return np.asarray(0.5 * parts.mass * logs)


def opened(covariance: np.ndarray) -> np.ndarray:
    """(..., d, d) with something in every direction, in which a far row would else leave nothing but rounding."""
    size = np.trace(covariance, axis1=-2, axis2=-1)[..., None, None]
    return np.asarray(covariance + (THIN + ROUNDING * size) * np.eye(covariance.shape[-1]))


def cuts(view: np.ndarray, own: np.ndarray, rows: np.ndarray, rule: Excess) -> Iterator[tuple[float, np.ndarray]]:
    """Excess of several cuts of these rows, and on which side all rows are; both sides hold enough for a shape."""
    least = view.shape[1] + 1
    if len(rows) < 2 * least:
        return
    here, share = view[rows], own[rows] / own[rows].sum()
    for direction, threshold in lines(here, share):
        side = here @ direction > threshold
        if min(side.sum(), (~side).sum()) < least:
            continue
        first, second = measure(here[side], own[rows][side]), measure(here[~side], own[rows][~side])
        yield float(rule.of_cut(first, second)[0]), view @ direction > threshold


def lines(rows: np.ndarray, share: np.ndarray) -> Iterator[tuple[np.ndarray, float]]:
    """Directions across which to cut, and where."""
    mean = share @ rows
    away = rows - mean
    values, vectors = np.linalg.eigh((away * share[:, None]).T @ away)
    keep = values > THIN * values[-1]
    if not keep.any():  # all rows are the same
        return
    to_white = vectors[:, keep] / np.sqrt(values[keep])
    white = away @ to_white
    fourth = (white * (share * (white**2).sum(1))[:, None]).T @ white
    turned = np.linalg.eigh(fourth)[1]
    starts = [np.eye(white.shape[1])[-1], turned[:, 0], turned[:, -1]]
    for direction in starts[: 3 if white.shape[1] > 1 else 1]:
        for _ in range(TURNS):
            line = white @ direction
            above = line > cut_of_line(line, share)
            if above.all() or not above.any():
                break
            upper, lower = share * above, share * ~above
            direction = upper @ white / upper.sum() - lower @ white / lower.sum()
        across = to_white @ direction
        yield across, cut_of_line(rows @ across, share)


def cut_of_line(line: np.ndarray, share: np.ndarray) -> float:
    """Where to cut in two with the least variance on both sides."""
    order = np.argsort(line, kind="stable")
    reached, sums = np.cumsum(share[order])[:-1], np.cumsum((share * line)[order])
    with np.errstate(divide="ignore", invalid="ignore"):
        between = (sums[:-1] - reached * sums[-1]) ** 2 / (reached * (1 - reached))
    at = int(np.argmax(np.where(np.isfinite(between), between, -1.0)))
    return float(line[order[at]] + line[order[at + 1]]) / 2
