"""100k × 16, k = 20, touching blobs."""

from benchmarks.gaussian_blobs import gaussian_blobs


def load(quick: bool) -> dict:
    return {"X": gaussian_blobs(10_000 if quick else 100_000, 16, 20, spread=1.0, seed=1), "k": 20}
