"""Starts of EM are compared on a sample of the rows, by a few steps each; only what wins is fitted to all of them.

Of a large table not even the first start is made from all rows: K-means with swaps finds the clusters of some thousand,
EM settles on these, and if what it finds is in doubt (other_starts.py), others compete with it there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.kmeans import fit as kmeans
from unmix.algorithms.kmeans.multi_start import Settings
from unmix.algorithms.rows.sample import draw_sample
from unmix.core.blocks import RowBlocks
from unmix.core.scaling.standardize import StandardizedBlocks, Units
from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.mixture import Mixture
from unmix.density.mixture.mixture_density import in_units
from unmix.density.mixture.other_starts import (
    AGREE,
    RIVAL,
    ROWS_A_COMPONENT,
    Effort,
    doubt_about,
    effort_for,
    mixture_of_labels,
    other_starts,
    restarts,
)
from unmix.density.mixture.race import Runner, Sample, advanced, winner
from unmix.density.mixture.split_and_merge import moves, split_and_merge
from unmix.density.mixture.start import Given
from unmix.inference.expectation import marginals

START_ROWS, ROWS_A_PARAMETER = 4096, 8  # of the sample of a first start: at least, and for every component and column
LARGE = 3  # samples, from which on a table is large
SWAPS, SETTLING = 10, 20  # rounds of swaps of K-means, and steps of EM, at most


class Problem(NamedTuple):
    """What is fitted: rows and their weights, in which units, for which cost, and what the user gives."""

    blocks: RowBlocks
    weights: np.ndarray | None
    k: int
    units: Units  # of the fit
    standard: Units  # of columns of equal spread
    cost: Gaussian
    given: Given
    tol: float

    @property
    def mass(self) -> float:
        return float(self.blocks.shape[0] if self.weights is None else self.weights.sum())

    def sample(self, size: int, seed: int) -> Sample:
        drawn = draw_sample(self.blocks, self.weights, size, seed, self.standard.scale)
        rows = in_units(drawn.blocks, self.units, self.cost.family).gather()
        view = dense_rows(in_units(drawn.blocks, self.standard, self.cost.family, fill=self.cost.missing))
        return Sample(rows, view, np.ones(len(view)) if drawn.weights is None else drawn.weights)


def start_rows(k: int, d: int) -> int:
    return max(START_ROWS, ROWS_A_COMPONENT * k, ROWS_A_PARAMETER * k * (d + 1))


def is_large(problem: Problem) -> bool:
    return problem.mass > LARGE * start_rows(problem.k, problem.blocks.shape[1])


def start_on_sample(problem: Problem, seed: int, look: bool) -> Mixture:
    """Where to begin on all rows: what EM finds on a sample, and if that is in doubt, the best of other starts there.

    Without ``look`` there are no others, as for the further runs of a fit.
    """
    from unmix.algorithms.rows.sample import few_leaves

    k, cost = problem.k, problem.cost
    sample = problem.sample(start_rows(k, problem.blocks.shape[1]), seed)
    found = kmeans.fit(few_leaves(sample.view), sample.weights, k, Settings(swaps=SWAPS), seed)
    start = mixture_of_labels(sample, cost, np.asarray(found.labels, np.intp), k, problem.given)
    mixture = advanced(sample, cost, [Runner(start)], SETTLING, problem.tol)[0].mixture
    if not look:
        return mixture
    return look_again(problem, mixture, mean_entropy(sample, cost, mixture), seed) or mixture


def mean_entropy(sample: Sample, cost: Gaussian, mixture: Mixture) -> float:
    """Of the component of a row: log Z = entropy - expected cost."""
    _, log_z, expected = marginals(sample.rows, sample.weights, cost, mixture, 1.0)
    return float((sample.weights @ log_z + expected) / sample.weights.sum())


def look_again(problem: Problem, found: Mixture, entropy: float, seed: int) -> Mixture | None:
    """Where to go on from if what was found is in doubt and something likelier is found, on a sample; else None."""
    k, d, mass, cost = problem.k, problem.blocks.shape[1], problem.mass, problem.cost
    doubt = doubt_about(found, entropy, mass)
    if not any(doubt):
        return None
    effort = effort_for(cost.family, k, d, mass)
    if effort is None:
        return None
    sample = problem.sample(max(effort.rows, ROWS_A_COMPONENT * k), seed)
    if not doubt.vague and len(restarts(sample, k, seed, AGREE, RIVAL)) < 2:
        return None
    return better_mixture(sample, problem, found, seed, effort)


def better_mixture(sample: Sample, problem: Problem, found: Mixture, seed: int, effort: Effort) -> Mixture | None:
    """A mixture likelier than the one found, by a gain for each row of the sample; None if there is none.

    A move that leaves no doubt is all that is needed where K-means has put two groups into one cluster.
    """
    cost, gain, mass, legs = problem.cost, problem.tol, problem.mass, effort.legs_of(problem.cost.family)
    movable = cost.family.given is None and len(found.weights) >= effort.least_moved
    moved = moves(sample, cost, found) if movable else []
    if moved:
        better = winner(sample, cost, moved, found, gain, legs)
        if better is not None and not any(doubt_about(better, mean_entropy(sample, cost, better), mass)):
            return better
    tried = other_starts(sample, cost, found, problem.given, seed, effort) + moved
    better = winner(sample, cost, tried, found, gain, legs)
    if better is None or not movable:
        return better
    return split_and_merge(sample, cost, better, gain, legs) or better


def dense_rows(X: StandardizedBlocks) -> np.ndarray:
    rows = X.gather()
    return np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, dtype=np.float64)
