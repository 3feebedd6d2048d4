"""A card for each cluster: its size, a name and a rule that tell it apart, and rows that stand for it."""

from __future__ import annotations

from unmix.exploration.columns.encode import NumberScale
from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.findings.records import Cluster
from unmix.exploration.groups.contrast import contrasts
from unmix.exploration.groups.names import group_names
from unmix.exploration.groups.rows import rows_of_groups
from unmix.exploration.groups.rules import group_rules
from unmix.exploration.structure.clustering import Clustering


def make_cards(clustering: Clustering, prepared: Prepared, seed: int) -> list[Cluster]:
    """Labels and confidence of the clustering go with the rows of the prepared table."""
    k, labels = clustering.selection.chosen_k, clustering.labels
    columns, kinds = prepared.columns, prepared.kinds
    logs = {scale.column for scale in prepared.scales if isinstance(scale, NumberScale) and scale.log}
    names = group_names(columns, kinds, labels, k, logs)
    rules = group_rules(columns, kinds, labels, k, seed)
    rows = rows_of_groups(prepared, labels, clustering.confidence, k)
    cards = []
    for label in range(k):
        inside = labels == label
        distinct = contrasts(columns, kinds, inside, logs) if k > 1 else []
        cards.append(
            Cluster(
                label, int(inside.sum()), float(inside.mean()), names[label], clustering.stability[label],
                float(clustering.confidence[inside].mean()), distinct, rows[label].typical, rules[label],
                rows[label].borderline, rows[label].odd,
            )
        )  # fmt: skip
    return cards
