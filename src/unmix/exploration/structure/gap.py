"""Whether the rows part anywhere: without a gap between groups, one curved cloud may explain all valleys.

A ring, an arc or a path through many columns is dense where straight lines across it are not, and criteria find valleys
there. Along the ways from row to row (`shapes.border`) it thins out nowhere, however it is divided; groups do.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from unmix.exploration.structure.partitions import Partitions
from unmix.exploration.structure.shapes.border import near_ways, way_depths
from unmix.exploration.structure.shapes.candidates import by_density
from unmix.validation.evidence.valley import spanning_valleys
from unmix.validation.selection.probability import UNCONFIRMED

NO_GAP, GAP = 1.35, 1.75  # depths that curved clouds hardly exceed, and from which on groups are apart


def most_probable_by_gaps(partitions: Partitions) -> float:
    """How probable clusters are at most; less than one where no partition of the rows has a clear gap."""
    share = (deepest_gap(partitions) - NO_GAP) / (GAP - NO_GAP)
    return UNCONFIRMED + min(max(share, 0.0), 1.0) * (1.0 - UNCONFIRMED)


def deepest_gap(partitions: Partitions, enough: float = GAP) -> float:
    """The depth of the shallowest border of a partition, for the partition where that is deepest; `enough` ends it."""
    ways, deepest = near_ways(partitions.distances), 0.0
    for labels in _partitions(partitions):
        labels = np.unique(labels, return_inverse=True)[1]
        valleys = spanning_valleys(way_depths(partitions.distances, ways, labels))
        deepest = max(deepest, float(valleys[-1, 0]) if len(valleys) else 0.0)
        if deepest >= enough:
            break
    return deepest


def _partitions(partitions: Partitions) -> Iterator[np.ndarray]:
    """By Gaussians, by K-means, and by the density, which takes longest."""
    yield from partitions.gaussians.values()
    yield from partitions.round_groups.values()
    yield from (cut.labels for cut in by_density(partitions.distances))
