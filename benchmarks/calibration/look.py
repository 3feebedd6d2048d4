"""What exploring sees of a table before it says anything, and what it says."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.exploration.columns.control import make_control
from unmix.exploration.columns.preparation import prepare
from unmix.exploration.explore import _projects
from unmix.exploration.structure.counting import count_clusters
from unmix.exploration.structure.judged import Axes, judged_rows, look_at_rows
from unmix.exploration.structure.spectrum import principal_components
from unmix.validation.selection.probability import Evidence

MAX_K = 10


class Seen(NamedTuple):
    """The kind of the table, how many groups it holds, the evidence, and stability at every number."""

    kind: str
    groups: int
    evidence: Evidence
    stability: list[float | None]


def look(kind: str, table: dict[str, Any], groups: int, seed: int) -> Seen | None:
    """None where too few rows are left to count."""
    prepared = prepare(pl.DataFrame(table), seed, "auto", None, None, make_control())
    rows = look_at_rows(prepared, seed)
    features = [feature for scale in prepared.scales for feature in scale.features]
    ordered = None if rows.order is None else rows.numbers
    components = principal_components(prepared.X, prepared.owner, features, seed, prepared.holes, ordered)
    m = components.spectrum.n_suggested
    axes = Axes(components.directions[:m], components.mean) if _projects(prepared, m) else None
    count = count_clusters(judged_rows(prepared, rows, axes), MAX_K, seed)
    if count.evidence is None:
        return None
    return Seen(kind, groups, count.evidence, count.selection.criteria[1].values)


def look_at_kinds(kinds: dict[str, Any], seeds: range, stream: int) -> list[Seen]:
    found = []
    for seed in seeds:
        for i, (kind, make) in enumerate(kinds.items()):
            table, groups = make(np.random.default_rng([seed, i, stream]))
            seen = look(kind, table, groups, seed)
            found += [] if seen is None else [seen]
    return found
