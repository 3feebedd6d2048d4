"""The mean log-density of rows, of which some may have the density 0.

A mean of which one term is minus infinity compares nothing: every setting that leaves one row of a fold in an empty
cell would be as bad as any other. So for a mean, and for it alone, 0 counts as the smallest positive number.
"""

from __future__ import annotations

from typing import Any

import numpy as np

LEAST = float(np.log(np.finfo(np.float64).tiny))  # -708.4


def mean_score(log_densities: np.ndarray, sample_weight: Any = None) -> float:
    return float(np.average(np.maximum(log_densities, LEAST), weights=sample_weight))
