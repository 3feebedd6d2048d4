"""objective: energy -½ sᵀ J s of the best state (lower is better)"""

from typing import Any

import numpy as np


def evaluate(result: np.ndarray, J: Any, **settings: object) -> float:
    """In float64 from the spins."""
    spins = np.asarray(result, dtype=np.float64)
    return float(-0.5 * spins @ (J @ spins))
