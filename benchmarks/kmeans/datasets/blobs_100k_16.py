"""100k × 16, k = 50, float32; touching blobs."""

from benchmarks.gaussian_blobs import gaussian_blobs


def load(quick: bool) -> dict:
    return {"X": gaussian_blobs(10_000 if quick else 100_000, 16, 50, spread=1.5, seed=0), "k": 50}
