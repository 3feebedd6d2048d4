"""50k × 10, float32, eight blobs, K = 2…20."""

from benchmarks.gaussian_blobs import gaussian_blobs

most_rounds = 2


def load(quick: bool) -> dict:
    return {"X": gaussian_blobs(5_000 if quick else 50_000, 10, 8, spread=2.0, seed=3), "ks": range(2, 21)}
