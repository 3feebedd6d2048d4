"""Which numbers of an answer are of all rows and which of a sample, and how far those of the sample may be off."""

from __future__ import annotations

import math

FITTED = {"round": "the centres", "gaussian": "the Gaussians"}


def fitted_to_all(n_passes: int, shape: str) -> str:
    """What the final fit to all rows made, "" where there was none."""
    return f"{FITTED[shape]} of the clusters ({n_passes} pass{'es' * (n_passes > 1)})" if n_passes else ""


def whose_numbers(n_looked_at: int, n_rows: int, n_passes: int, shape: str) -> list[str]:
    """Two sentences; errors are two standard errors of a simple random sample without replacement."""
    kept = math.sqrt((n_rows - n_looked_at) / max(n_rows - 1, 1))  # of a large part of the rows, the error is smaller
    error = 2 * kept / math.sqrt(n_looked_at)
    fitted = f"{fitted_to_all(n_passes, shape)}, " if n_passes else ""
    return [
        f"Of all {n_rows:,} rows: {fitted}the sizes of clusters and of groups inside them, and of every column the "
        "missing cells, mean, spread, least and greatest number, and counts of levels; every row got its nearest "
        "cluster.",
        f"Of {n_looked_at:,} rows drawn at random: all else. A share of these rows lies within ±{50 * error:.2g} "
        f"percentage points of that of all rows, and a mean within ±{error:.2g} standard deviations (95 %).",
    ]
