"""1M × 3, k = 64, float32; blobs that overlap, many rows and few columns."""

from benchmarks.gaussian_blobs import gaussian_blobs


def load(quick: bool) -> dict:
    return {"X": gaussian_blobs(100_000 if quick else 1_000_000, 3, 64, spread=3.0, seed=2), "k": 64}
