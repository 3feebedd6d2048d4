"""The nearest point of a box, low ≤ x ≤ high: every entry for itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.optimize.arguments import floats


def project_box(v: Any, low: Any = 0.0, high: Any = 1.0) -> np.ndarray:
    """Entries below ``low`` raised to it, those above ``high`` lowered; bounds may be infinite or arrays.

    Examples
    --------
    >>> project_box([-1.0, 0.25, 3.0])
    array([0.  , 0.25, 1.  ])
    """
    point = floats(v, "v")
    below, above = (floats(bound, name).astype(point.dtype) for bound, name in ((low, "low"), (high, "high")))
    if (below > above).any():
        raise ValueError(f"low={low!r} exceeds high={high!r}: the box is empty")
    return np.clip(point, below, above)
