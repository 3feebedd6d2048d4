"""50k × 16 float32, twenty groups."""

from benchmarks.gaussian_blobs import gaussian_blobs


def load(quick: bool) -> dict:
    X = gaussian_blobs(5_000 if quick else 50_000, 16, 20, spread=3.0, seed=5)
    return {"X": X, "side": 20, "epochs": 10, "first": 5.0, "last": 1.0}
