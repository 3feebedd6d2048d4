"""50k × 16, k = 10, float64."""

import numpy as np

from benchmarks.gaussian_blobs import gaussian_blobs
from benchmarks.gaussian_mixture.start import with_start


def load(quick: bool) -> dict:
    X = gaussian_blobs(5_000 if quick else 50_000, 16, 10, spread=1.0, seed=4, dtype=np.float64)
    return with_start(X, k=10)
