"""50k × 20, Laplace sources, float64."""

import numpy as np

from benchmarks.ica.laplace import mixed_laplace


def load(quick: bool) -> dict:
    return mixed_laplace(5_000 if quick else 50_000, 20, np.float64)
