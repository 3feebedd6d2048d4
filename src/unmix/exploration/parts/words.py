"""Which numbers of an answer are of all rows and which of a sample, and how far those of the sample may be off."""

from __future__ import annotations

import math

from unmix.exploration.findings.records import Associations, Column
from unmix.exploration.structure.evaluation_set import most_rows

FITTED = {"round": "the centres", "gaussian": "the Gaussians"}


def fitted_to_all(n_passes: int, shape: str) -> str:
    """What the final fit to all rows made, "" where there was none."""
    return f"{FITTED[shape]} of the clusters ({n_passes} pass{'es' * (n_passes > 1)}), " if n_passes else ""


def whose_numbers(
    n_looked_at: int, n_rows: int, fitted: str, columns: list[Column], associations: Associations
) -> list[str]:
    """Two sentences; errors are two standard errors of a simple random sample without replacement."""
    kept = math.sqrt((n_rows - n_looked_at) / max(n_rows - 1, 1))  # of a large part of the rows, the error is smaller
    error = 2 * kept / math.sqrt(n_looked_at)
    off = max((column.summary.get("quartile_error", 0.0) for column in columns), default=0.0)
    quartiles = f"quartiles (their ranks within {100 * off:.2g} percentage points)" if off else "quartiles"
    relations = _relations(associations, min(n_looked_at, most_rows))
    return [
        f"Of all {n_rows:,} rows: {fitted}the sizes of clusters and of groups inside them{relations}, and of every "
        f"column the missing cells, mean, spread, skewness, {quartiles}, histogram, least and greatest number, and "
        "counts of levels; every row got its nearest cluster.",
        f"Of {n_looked_at:,} of {n_rows:,} rows, drawn at random: all else; which columns are related was asked of "
        f"{min(n_looked_at, most_rows):,} of them. A share of these rows lies within ±{50 * error:.2g} percentage "
        f"points of that of all rows, and a mean within ±{error:.2g} standard deviations (95 %).",
    ]


def _relations(found: Associations, n_asked: int) -> str:
    """How many of the pairs that go together were measured on more than the rows in which they were found."""
    counted = sum(pair.n_rows > n_asked for pair in found.pairs)
    if not counted:
        return ""
    if counted == len(found.pairs):
        return ", the bits of relations between columns"
    return f", the bits of {counted} of {len(found.pairs)} relations between columns"
