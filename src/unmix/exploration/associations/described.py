"""How a target, or a column that only describes, goes with what the others form: clusters and first components."""

from __future__ import annotations

import numpy as np

from unmix.exploration.associations.coding import Coded, Column, code_numbers, join
from unmix.exploration.associations.compare import compare
from unmix.exploration.associations.pairs import Evidence, records
from unmix.exploration.findings.records import Association

CLUSTERS = "the clusters"
MOST_COMPONENTS = 3


def described(
    coded: Coded, aside: list[int], labels: np.ndarray, scores: np.ndarray, evidence: Evidence, rng: np.random.Generator
) -> list[Association]:
    """`aside` are places of columns that took no part; `labels` and `scores` (n, m) are of the rows of `coded`.

    Clusters and components are taken as they are; the columns they were not made from are put in other orders.
    """
    formed = {CLUSTERS: _clusters(labels)} if labels.max() > 0 else {}
    formed |= {f"component {m + 1}": code_numbers(column) for m, column in enumerate(scores.T[:MOST_COMPONENTS])}
    if not aside or not formed:
        return []
    left, right = coded.take(aside), join(len(labels), formed)
    found = compare(left, right, evidence.null, rng, np.ones((len(aside), len(formed)), bool))
    return records(left, right, found, evidence)


def _clusters(labels: np.ndarray) -> Column:
    none = np.full(len(labels), np.nan)
    return Column(labels, none, none, [f"cluster {label}" for label in range(int(labels.max()) + 1)])
