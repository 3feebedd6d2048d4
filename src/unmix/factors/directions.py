"""What every route to the principal directions returns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.factors.scatter import Moments


class Directions(NamedTuple):
    """What a route finds in the scaled table: moments, singular values, rows U, and how far off they may be."""

    moments: Moments
    singular: np.ndarray
    components: np.ndarray
    residual: float = 0.0
