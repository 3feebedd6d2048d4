"""500k × 50, k = 10, float32."""

from benchmarks.pca.low_rank import low_rank


def load(quick: bool) -> dict:
    return {"X": low_rank(50_000 if quick else 500_000, 50, 20, seed=6), "k": 10}
