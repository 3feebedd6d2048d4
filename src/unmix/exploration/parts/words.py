"""Which numbers of an answer are of all rows and which of a sample, and how far those of the sample may be off."""

from __future__ import annotations

import math


def whose_numbers(n_looked_at: int, n_rows: int) -> list[str]:
    """Two sentences; errors are two standard errors of a simple random sample without replacement."""
    kept = math.sqrt((n_rows - n_looked_at) / max(n_rows - 1, 1))  # of a large part of the rows, the error is smaller
    error = 2 * kept / math.sqrt(n_looked_at)
    return [
        f"Of all {n_rows:,} rows: the sizes of clusters and of groups inside them, and of every column the missing "
        "cells, mean, spread, least and greatest number, and counts of levels; every row got its nearest cluster.",
        f"Of {n_looked_at:,} rows drawn at random: all else. A share of these rows lies within ±{50 * error:.2g} "
        f"percentage points of that of all rows, and a mean within ±{error:.2g} standard deviations (95 %).",
    ]
