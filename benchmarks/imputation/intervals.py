"""How often the interval of a filled number holds the number that was removed."""

import numpy as np

from benchmarks.imputation.holes import Removed
from benchmarks.imputation.imputers import COMPONENTS
from unmix.io.mixed import Encoding

COVERAGE = 0.9


def covered(encoding: Encoding, full: np.ndarray, draw: Removed) -> float:
    """The share of removed numbers inside."""
    from unmix.decomposition import Factorization

    frame = encoding.decode(draw.array)
    low, high = Factorization(COMPONENTS, random_state=0).fit(frame).impute_interval(frame, coverage=COVERAGE)
    numbers = draw.cells & np.array([not column.has_levels for column in encoding.columns])
    return float(np.mean((low <= full)[numbers] & (full <= high)[numbers]))
