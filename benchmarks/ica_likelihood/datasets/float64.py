"""50k × 20, Laplace sources, float64, to a gradient of 1e-7."""

import numpy as np

from benchmarks.ica.laplace import mixed_laplace


def load(quick: bool) -> dict:
    data = mixed_laplace(5_000 if quick else 50_000, 20, np.float64)
    return {"X": data["X"], "tol": 1e-7}
