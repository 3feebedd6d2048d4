"""One split of a table in halves, for K-means with every number of clusters at once: what stability is made of.

The halves are the same for all numbers of clusters, so they are laid out once, and all sizes are counted together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from unmix.validation.evidence.resampled.distance import share_off
from unmix.validation.fits.quick import Fits


class Resample(NamedTuple):
    """How far two resamples disagree, how far they would at random, and which rows the model's clusters kept."""

    distance: float
    random: float
    kept: np.ndarray  # how many fits of this resample agree with the model, for each row
    judged: np.ndarray  # of how many


def split_sizes(
    X: np.ndarray, sizes: np.ndarray, labels: np.ndarray, n_random: int, rng: np.random.Generator
) -> list[Resample]:
    """A resample for each size; `labels` has a line for each, what the model of that size says of all rows."""
    order = rng.permutation(len(X))
    halves = [np.sort(order[: len(X) // 2]), np.sort(order[len(X) // 2 :])]
    first, second = (_view(X, half, sizes, int(rng.integers(2**31))) for half in halves)
    shuffles = np.array([rng.permutation(len(halves[1])) for _ in range(n_random)])
    own, other = first[:, halves[1]], second[:, halves[1]]
    pairs = [(first, labels), (second, labels), (own, other), *((own, other[:, shuffle]) for shuffle in shuffles)]
    counts = np.stack([count_pairs(*pair, int(sizes.max())) for pair in pairs], axis=1)
    return [_resample([first[s], second[s]], labels[s], counts[s, :, :k, :k]) for s, k in enumerate(sizes)]


def count_pairs(first: np.ndarray, second: np.ndarray, k: int) -> np.ndarray:
    """(sizes, k, k): how often clusters of two labellings meet, for every line of labels."""
    sizes = len(first)
    codes = (np.arange(sizes)[:, None] * k + first) * k + second
    return np.bincount(codes.ravel(), minlength=sizes * k * k).reshape(sizes, k, k)


def _view(X: np.ndarray, half: np.ndarray, sizes: np.ndarray, seed: int) -> np.ndarray:
    """Labels of all rows from fits to one half, carried to the other by the nearest centre."""
    fits = Fits(X, half, sizes, seed)
    view = fits.predict(X)
    view[:, half] = fits.labels
    return view


def _resample(views: list[np.ndarray], labels: np.ndarray, counts: np.ndarray) -> Resample:
    kept = np.zeros(len(labels))
    for view, table in zip(views, counts):
        kept += linear_sum_assignment(table, maximize=True)[1][view] == labels
    random = np.mean([share_off(table) for table in counts[3:]])
    return Resample(share_off(counts[2]), float(random), kept, np.full(len(labels), 2.0))
