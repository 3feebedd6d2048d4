"""Points spread out over a figure: each next one is the farthest from those chosen (Gonzalez, TCS 38, 1985)."""

from __future__ import annotations

import numpy as np


def non_overlapping(points: np.ndarray, n: int) -> np.ndarray:
    """Numbers of up to ``n`` points such that squares of side 1 around them do not overlap."""
    outermost = ((points - points.mean(axis=0)) ** 2).sum(axis=1).argmax()
    chosen, nearest = [int(outermost)], np.full(len(points), np.inf)
    while len(chosen) < n:
        nearest = np.minimum(nearest, np.abs(points - points[chosen[-1]]).max(axis=1))
        farthest = int(nearest.argmax())
        if nearest[farthest] < 1:
            break
        chosen.append(farthest)
    return np.array(chosen)
