"""Does a group hold further groups?  First a quick look that can say "surely none", then the count of the whole table.

The quick look: valleys between clusters of K-means in the group, against tables without groups of its size and
covariance, and the borders of groups of any shape. Only where either is deeper than chance likely makes it is the group
counted as a table of its own is. What is found must stand although several groups were looked into: the probability of
such valleys by chance is multiplied by their number (Bonferroni).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from unmix.cluster import KMeans
from unmix.core.random import derive, spawn
from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.structure.clustering import Clustering, find_clusters
from unmix.exploration.structure.evaluation_set import Axes, EvaluationSet, Rows, complete_rows, evaluation_set
from unmix.exploration.structure.shapes.candidates import LEVEL, by_density
from unmix.exploration.structure.shapes.tree import NEIGHBORS
from unmix.exploration.structure.spectrum import principal_components
from unmix.validation.criteria.separation import chance_depths
from unmix.validation.evidence.references.gumbel import Gumbel
from unmix.validation.evidence.valley import depths_of_all, spanning_valleys
from unmix.validation.fits.refit import refit_all
from unmix.validation.selection.probability import Evidence, probabilities
from unmix.validation.selection.sureness import SURE

FEWEST_ROWS = 40  # of a group that is looked into
MAX_K = 4  # further groups of one group
MOST_FEATURES = 10  # with more, groups are sought in components, as in the whole table
_likely = 0.1  # probability by chance of valleys from which on a group is not looked into
_references, _quick_rows = 10, 500


class Inside(NamedTuple):
    """What was seen of a group: the probability of further groups, and where there are some what they are.

    `axes` lead from the features to the space of the model.
    """

    probability: float
    clustering: Clustering | None = None
    axes: Axes | None = None


def look_inside(prepared: Prepared, looked_at: Rows, members: np.ndarray, n_looks: int, seed: int) -> Inside:
    """`members` are rows of the matrix, those of one group; `n_looks` is how many groups are looked into."""
    axes = own_axes(prepared, members, seed)
    here = np.isin(looked_at.numbers, members)
    rows = Rows(looked_at.numbers[here], looked_at.X[here], None)
    if len(axes.directions) == 0 or len(rows.X) < FEWEST_ROWS:
        return Inside(0.0)
    evaluated = evaluation_set(prepared, rows, axes)
    if surely_none(evaluated, seed):
        return Inside(0.0)
    place = np.searchsorted(members, evaluated.rows)  # of the judged rows among the members
    found = find_clusters(axes.project(prepared.X[members]), evaluated._replace(rows=place), MAX_K, derive(seed, 40))
    probability = corrected(found, n_looks)
    if found.selection.chosen_k == 1 or probability < SURE:
        return Inside(probability)
    return Inside(probability, found, axes)


def corrected(found: Clustering, n_looks: int) -> float:
    """The probability of further groups where one of several groups was bound to look best."""
    said, evidence = found.selection.probability, found.evidence
    if said is None or evidence is None:
        return said or 0.0
    looks = Evidence(evidence.answer, min(1.0, n_looks * evidence.p_value), evidence.parts)
    return min(said, probabilities(looks).clusters)


def own_axes(prepared: Prepared, members: np.ndarray, seed: int) -> Axes:
    """The columns in units of their spread within the group; of many columns the components that go beyond chance.

    Where cells were filled columns stay as they are: filled references live in the space of the features.
    """
    X, holes = prepared.X[members], prepared.holes[members]
    if X.shape[1] > MOST_FEATURES:
        found = principal_components(X, prepared.owner, [""] * X.shape[1], seed, holes)
        return Axes(found.directions[: found.spectrum.n_suggested], found.mean)
    spread, mean = X.std(axis=0), X.mean(axis=0)
    varies = spread > 1e-9 * np.maximum(np.abs(mean), 1.0)
    unit = np.ones_like(spread) if holes.any() else 1 / np.where(varies, spread, 1.0)
    return Axes(np.diag(unit)[varies], mean)


def surely_none(evaluated: EvaluationSet, seed: int) -> bool:
    """Whether no valley is deeper than chance makes it every tenth time, and no border than it ever does."""
    X = evaluated.space[spawn(seed, 41).permutation(len(evaluated.space))[:_quick_rows]]
    models = [KMeans(k, random_state=seed) for k in range(2, MAX_K + 1)]
    chance = chance_depths(models, evaluated.reference(X), _references, spawn(seed, 42))
    seen = [spanning_valleys(depths) for depths in depths_of_all(X, refit_all(models, X, seed))]
    deepest = max((float(valleys[0, 0]) for valleys in seen if len(valleys)), default=0.0)
    if Gumbel.of(chance).tail(deepest) < _likely:
        return False
    different = np.unique(evaluated.space[complete_rows(evaluated)][:_quick_rows], axis=0)
    if len(different) <= 2 * max(NEIGHBORS) or X.shape[1] < 2:
        return True
    return all(one.depth < LEVEL for one in by_density(cdist(different, different)))
