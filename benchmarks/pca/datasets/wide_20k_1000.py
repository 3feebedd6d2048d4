"""20k × 1000, k = 20, float32."""

from benchmarks.pca.low_rank import low_rank


def load(quick: bool) -> dict:
    return {"X": low_rank(2_000 if quick else 20_000, 1000, 40, seed=5), "k": 20}
