"""How often the interval of a filled number holds the number that was removed."""

import numpy as np

from benchmarks.imputation.holes import Removed
from unmix.io.mixed import Encoding

COVERAGE = 0.9


def covered(encoding: Encoding, full: np.ndarray, draw: Removed) -> float | None:
    """The share of removed numbers inside, or None where Factorization has no intervals."""
    try:
        from unmix.decomposition import Factorization
    except ImportError:
        return None
    if not hasattr(Factorization, "impute_interval"):
        return None
    frame = encoding.decode(draw.array)
    low, high = Factorization(random_state=0).fit(frame).impute_interval(frame, coverage=COVERAGE)
    low, high = encoding.encode(low), encoding.encode(high)
    numbers = draw.cells & np.array([not column.has_levels for column in encoding.columns])
    return float(np.mean((low <= full)[numbers] & (full <= high)[numbers]))
