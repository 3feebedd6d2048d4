"""Relations between columns, what is missing, what goes with clusters, and odd rows, as one record."""

from __future__ import annotations

import numpy as np

from unmix.core.random import spawn
from unmix.exploration.associations.coding import coded_columns
from unmix.exploration.associations.described import described
from unmix.exploration.associations.gaps import gaps
from unmix.exploration.associations.null import can_tell, null_of
from unmix.exploration.associations.odd_rows import odd_rows
from unmix.exploration.associations.pairs import Evidence, strongest
from unmix.exploration.associations.redundant import redundant, repeats
from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.findings.records import Associations
from unmix.exploration.structure.clustering import Clustering
from unmix.exploration.structure.evaluation_set import Rows
from unmix.exploration.structure.single_rows import single_rows
from unmix.exploration.structure.spectrum import Components

_stream = 21


def associate(
    prepared: Prepared, looked_at: Rows, components: Components, clustering: Clustering, seed: int
) -> Associations:
    """On the different rows of those looked at, in the order along which they depend, if they do."""
    rows, _, order = single_rows(looked_at)
    looked = coded_columns(prepared, rows)
    coded, repeated = looked.coded, {column.name for column in prepared.columns if repeats(column)}
    odd = odd_rows(prepared, clustering.labels)
    if not can_tell(order):
        words = (
            f"Rows follow each other so closely that {len(rows):,} of them are too few to tell relations from chance."
        )
        return Associations(words, gaps=gaps(prepared, rows, coded, None, spawn(seed, _stream, 1)), odd_rows=odd)
    worth = 1.0 if order is None else min(1.0, order.dependence.n_effective / len(rows))
    evidence = Evidence(null_of(order), worth)
    own = np.array([name not in repeated for name in coded.names], bool)
    asked = np.triu(own[:, None] & own, 1)
    pairs, n_found = strongest(coded, evidence, spawn(seed, _stream, 0), asked) if asked.any() else ([], 0)
    used = {column.name for column in prepared.columns if column.used}
    aside = [j for j, name in enumerate(coded.names) if name not in used | repeated]
    scores = components.scores[rows, : components.spectrum.n_suggested]
    return Associations(
        _sentence(n_found, int(asked.sum()), components.spectrum.n_suggested, looked.left_out),
        pairs,
        int(asked.sum()),
        redundant(prepared.columns, coded, pairs),
        gaps(prepared, rows, coded, evidence, spawn(seed, _stream, 1)),
        described(coded, aside, clustering.labels[rows], scores, evidence, spawn(seed, _stream, 2)),
        odd,
    )


def _sentence(n_found: int, n_pairs: int, n_directions: int, left_out: list[str]) -> str:
    """What was found among how many pairs, in words that do not deny the components."""
    if n_pairs == 0:
        return "There are no two columns to compare."
    if n_pairs == 1:
        said = f"The two columns {'go' if n_found else 'do not go'} together more than by chance."
    elif n_found:
        said = f"{n_found:,} of {n_pairs:,} pairs of columns go{'es' * (n_found == 1)} together more than by chance."
    elif n_directions:
        said = f"None of {n_pairs:,} pairs of columns stands out of chance by itself; only all columns together do."
    else:
        said = f"None of {n_pairs:,} pairs of columns goes together more than by chance."
    if left_out:
        said += f" {len(left_out)} columns, the least filled, were not compared."
    return said
