"""What exploring sees of a table before it says anything, and what it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.exploration.analysis import _cluster
from unmix.exploration.columns.control import make_control
from unmix.exploration.columns.preparation import prepare
from unmix.exploration.findings.records import Selection
from unmix.exploration.structure.evaluation_set import look_at_rows
from unmix.exploration.structure.spectrum import principal_components
from unmix.validation.selection.probability import Evidence

MAX_K = 10


class Seen(NamedTuple):
    """The kind of the table, how many groups it holds, the evidence, and the answer."""

    kind: str
    groups: int
    evidence: Evidence
    answer: Selection

    @property
    def said(self) -> float:
        """The probability of the number that was named."""
        return (self.answer.probabilities or [1.0])[self.answer.chosen_k - 1]

    @property
    def grade(self) -> str:
        """As the verdict says: clear, fairly clear, or nothing."""
        first = self.answer.verdict.partition("(")[0] if self.answer.chosen_k > 1 else ""
        return "fairly clear" if "fairly clear" in first else "clear" if " clear " in first else ""


def look(kind: str, table: dict[str, Any], groups: int, seed: int) -> Seen | None:
    """None where too few rows are left to count."""
    prepared = prepare(pl.DataFrame(table), seed, "auto", None, None, make_control())
    rows = look_at_rows(prepared, seed)
    components = principal_components(
        prepared.X, prepared.owner, prepared.features, seed, prepared.holes, rows.ordered, rows.apart
    )
    found = _cluster(prepared, rows, components, MAX_K, seed)
    return None if found.evidence is None else Seen(kind, groups, found.evidence, found.selection)


def look_at_kinds(kinds: dict[str, Any], seeds: range, stream: int) -> Iterator[Seen]:
    for seed in seeds:
        for i, (kind, make) in enumerate(kinds.items()):
            table, groups = make(np.random.default_rng([seed, i, stream]))
            seen = look(kind, table, groups, seed)
            if seen is not None:
                yield seen
