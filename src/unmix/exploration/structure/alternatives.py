"""The clusters for every other number of them, so that numbers can be compared side by side without a new run.

Labels go on from one number to the next: a group keeps its label where most of its rows stay together, going up from
the number that was chosen, and the group that parts from it gets the next one. Below the chosen number labels are those
of the groups that remain, counted from 0 again. Where the chosen groups are not round, others follow the density too,
as far as it has so many modes; K-means would cut across them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from unmix.algorithms.neighbors.search import nearest
from unmix.cluster import KMeans
from unmix.core.random import spawn
from unmix.exploration.findings.records import Alternative, Selection
from unmix.exploration.structure.shapes.candidates import deepest_cut
from unmix.exploration.structure.shapes.density_groups import MOST_ROWS
from unmix.exploration.structure.shapes.tree import NEIGHBORS, density_trees
from unmix.validation.fits.refit import refit_all

most_clusters = 10
_most_rows = 2000  # that the centres are fitted to
_most_work = 2_000_000  # rows × features × clusters of these fits
_least_effect = 0.4  # as for the cards: between Cohen's "small" and "medium"
_least_apart = 0.1  # from groups that the first trait does not tell apart


class Grouped(NamedTuple):
    """The rows of the map and what is known of them."""

    space: np.ndarray  # (n, m) in which they were clustered
    labels: np.ndarray
    names: list[str]  # of the clusters
    X: np.ndarray  # (n, d) what other names are made from
    features: list[str]  # a name for each of the d
    shape: str = "round"  # what the clusters follow


def make_alternatives(grouped: Grouped, selection: Selection, seed: int) -> list[Alternative]:
    """One for each number from 2 on; sizes count the rows of the map."""
    n_different = len({row.tobytes() for row in np.ascontiguousarray(grouped.space)})
    numbers = list(range(2, min(most_clusters, max(selection.k, default=1), n_different) + 1))
    others = [k for k in numbers if k != selection.chosen_k]
    found = dict(zip(others, _labels(grouped.space, others, seed))) if others else {}
    if grouped.shape in ("gaussian", "density"):
        found |= _by_density(grouped.space, others, seed)
    found = {k: labels for k, labels in found.items() if len(np.unique(labels)) == k}
    found[selection.chosen_k] = grouped.labels
    _carry_labels(found, selection.chosen_k)
    return [_alternative(k, found[k], grouped, selection) for k in numbers if k in found]


def _alternative(k: int, labels: np.ndarray, grouped: Grouped, selection: Selection) -> Alternative:
    chances = dict(zip(selection.k, selection.probabilities or []))
    names = grouped.names if k == selection.chosen_k else short_names(grouped.X, labels, k, grouped.features)
    sizes = np.bincount(labels[labels >= 0], minlength=k)
    return Alternative(k, chances.get(k), labels.tolist(), sizes.tolist(), names)


def _labels(space: np.ndarray, numbers: Sequence[int], seed: int) -> list[np.ndarray]:
    """The nearest of the centres that K-means finds in some of the rows."""
    n, m = space.shape
    most = max(2 * most_clusters, min(_most_rows, _most_work // (most_clusters * m)))
    part = np.arange(n) if n <= most else np.sort(spawn(seed, 12).choice(n, most, replace=False))
    few = np.ascontiguousarray(space[part])
    fits = refit_all([KMeans(k, random_state=seed) for k in numbers], few, seed)
    return [_nearest(space, few, np.asarray(labels)) for labels in fits]


def _by_density(space: np.ndarray, numbers: Sequence[int], seed: int) -> dict[int, np.ndarray]:
    """The cuts of the density of some rows in so many groups, where it has them; others follow the nearest of these."""
    rows = np.arange(len(space)) if len(space) <= MOST_ROWS else spawn(seed, 30).choice(len(space), MOST_ROWS, False)
    rows = rows[np.unique(space[rows], axis=0, return_index=True)[1]]
    if len(rows) <= max(NEIGHBORS):
        return {}
    distances = cdist(space[rows], space[rows])
    trees, near = density_trees(distances), nearest(space[rows], space, 1).indices[:, 0]
    cuts = {k: deepest_cut(distances, trees, k) for k in numbers}
    return {k: cut.labels[near] for k, cut in cuts.items() if cut.k == k}


def _nearest(space: np.ndarray, few: np.ndarray, labels: np.ndarray) -> np.ndarray:
    centers = _means(few, labels, int(labels.max()) + 1)
    # ||x - u||² = ||x||² - 2 x·u + ||u||², and ||x||² is the same for every centre.
    return np.argmin((centers**2).sum(axis=1) - 2 * space @ centers.T, axis=1)


def _means(X: np.ndarray, labels: np.ndarray, k: int) -> np.ndarray:
    members = (labels[:, None] == np.arange(k)).astype(float)
    return (members.T @ X) / np.maximum(members.sum(axis=0), 1)[:, None]


def _carry_labels(found: dict[int, np.ndarray], chosen: int) -> None:
    """Renumber in place, from the chosen number outwards."""
    below, above = chosen, chosen
    for k in sorted((k for k in found if k < chosen), reverse=True):
        found[k] = _renumbered(found[k], found[below], k)
        below = k
    for k in sorted(k for k in found if k > chosen):
        found[k] = _renumbered(found[k], found[above], k)
        above = k


def _renumbered(labels: np.ndarray, before: np.ndarray, k: int) -> np.ndarray:
    """Labels 0 … k - 1 by the groups `before` that they share most rows with; new groups come last, largest first."""
    inside = before >= 0
    shared = np.zeros((k, int(before.max()) + 1))
    np.add.at(shared, (labels[inside], before[inside]), 1)
    own, partner = linear_sum_assignment(-shared)
    place = np.full(k, shared.shape[1], float)
    place[own] = partner
    order = np.lexsort((-shared.sum(axis=1), place))
    number = np.empty(k, int)
    number[order] = np.arange(k)
    return number[labels]


def short_names(X: np.ndarray, labels: np.ndarray, k: int, features: list[str]) -> list[str]:
    """What each group has most of, against all rows, then against the groups of which that is true as well."""
    spread = X.std(axis=0)
    effects = (_means(X, labels, k) - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    named = [_traits(effects, label, features) for label in range(k)]
    return [
        ", ".join(_word(effects[c], j, features) for j in own) or "no column stands out" for c, own in enumerate(named)
    ]


def _traits(effects: np.ndarray, label: int, features: list[str]) -> list[int]:
    """The features that tell a group from all others, at most three; of a category, a level more frequent here."""
    own, alike = effects[label], np.arange(len(effects))
    said: list[int] = []
    while len(said) < 3 and len(alike) > 1:
        apart = own - (effects[alike].mean(axis=0) if said else 0.0)
        least = _least_apart if said else _least_effect
        level = np.array([" = " in name for name in features])
        usable = (np.abs(apart) >= least) & (apart * own > 0) & ~(level & (own < 0))
        usable[said] = False
        if not usable.any():
            break
        best = int(np.argmax(np.where(usable, np.abs(apart), -1)))
        said.append(best)
        alike = alike[effects[alike, best] * np.sign(own[best]) > 0.5 * abs(own[best])]
    return said


def _word(effects: np.ndarray, j: int, features: list[str]) -> str:
    return features[j] if " = " in features[j] else f"{'higher' if effects[j] > 0 else 'lower'} {features[j]}"
