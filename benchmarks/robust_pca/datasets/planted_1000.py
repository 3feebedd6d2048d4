"""1000 × 1000, rank 5 %, 5 % of the entries corrupted."""

from benchmarks.robust_pca.planted import planted

most_rounds = 3


def load(quick: bool) -> dict:
    return planted(200 if quick else 1000, 0.05, seed=1000)
