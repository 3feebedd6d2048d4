"""objective: mean over beta of I(X;X̂) - beta I(X̂;Y), in bits (lower is better)"""

import numpy as np


def evaluate(result: tuple[np.ndarray, np.ndarray], betas: np.ndarray, **data: object) -> float:
    """From the two informations that a solver says its codes have, in bits, one pair a beta."""
    rate, information = (np.asarray(part, dtype=np.float64) for part in result)
    return float((rate - betas * information).mean())
