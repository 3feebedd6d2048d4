"""objective: largest error of a covariance, in units of the standard deviations (lower is better)"""

from typing import Any

import numpy as np


def evaluate(result: np.ndarray, covariance: np.ndarray, **settings: Any) -> float:
    """From all samples of all chains."""
    found = np.cov(np.asarray(result).reshape(-1, len(covariance)).T)
    scale = np.sqrt(np.diag(covariance))
    return float(np.abs((found - covariance) / np.outer(scale, scale)).max())
