"""10k × 256, 512 atoms, 10 non-zeros, float64."""

import numpy as np

from benchmarks.omp.signals import signals


def load(quick: bool) -> dict:
    return signals(1000 if quick else 10_000, 256, 512, 10, np.float64)
