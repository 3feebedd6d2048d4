"""What every route to the principal directions returns."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.principal.scatter import Moments


class Directions(NamedTuple):
    """What a route finds in the scaled table: moments, singular values, rows U, and how far off they may be."""

    moments: Moments
    singular: np.ndarray
    components: np.ndarray
    residual: float = 0.0


def no_directions(moments: Moments) -> Directions:
    """Of a table whose moments are of no use; the caller finds out why."""
    kept = moments._replace(scatter=moments.spread.copy())
    return Directions(kept, np.zeros(1), np.zeros((1, len(moments.mean))))
