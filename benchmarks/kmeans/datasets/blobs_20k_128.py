"""20k × 128, k = 100, float32; well-separated blobs, so that quality is telling."""

from benchmarks.gaussian_blobs import gaussian_blobs


def load(quick: bool) -> dict:
    return {"X": gaussian_blobs(2_000 if quick else 20_000, 128, 100, spread=1.0, seed=1), "k": 100}
