"""Borders of the cells of nearest centres in the plane, clipped to a box.

The border of a and b lies on the line |x - a|² = |x - b|², x = (a + b)/2 + t r with r at a right angle to b - a; it is
the stretch of t on which no third centre is nearer: 2 (c - a)·x ≤ |c|² - |a|² for every c, one bound on t each.
Pairs are taken one by one, which is exact for two centres and for centres on a line too. Cost: k³.
"""

from __future__ import annotations

import numpy as np


def cell_borders(centers: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Segments (m, 2, 2) between the nearest-centre cells, inside the box from ``low`` to ``high``."""
    centers = np.unique(np.asarray(centers, np.float64), axis=0)
    found = [_segment(centers, a, b, low, high) for a in range(len(centers)) for b in range(a + 1, len(centers))]
    return np.array([segment for segment in found if segment is not None]).reshape(-1, 2, 2)


def _segment(centers: np.ndarray, a: int, b: int, low: np.ndarray, high: np.ndarray) -> np.ndarray | None:
    middle, apart = (centers[a] + centers[b]) / 2, centers[b] - centers[a]
    along = np.array([-apart[1], apart[0]]) / np.hypot(*apart)
    others = np.delete(centers, [a, b], axis=0)
    to_other = others - centers[a]
    # slope · t ≤ room: first from the other centres, then from the four sides of the box
    slope = np.concatenate([2 * to_other @ along, along, -along])
    room = np.concatenate(
        [((others - middle) ** 2 - (centers[a] - middle) ** 2).sum(axis=1), high - middle, middle - low]
    )
    flat = np.abs(slope) <= 1e-12 * np.abs(slope).max()
    if (room[flat] < 0).any():
        return None
    ends = np.where(flat, 0.0, room / np.where(flat, 1.0, slope))
    first = ends[(slope < 0) & ~flat].max(initial=-np.inf)
    last = ends[(slope > 0) & ~flat].min(initial=np.inf)
    return None if first >= last else middle + np.array([[first], [last]]) * along


def assigns_to_nearest(points: np.ndarray, centers: np.ndarray, places: np.ndarray) -> bool:
    """Whether every point belongs to its nearest centre, up to rounding."""
    squares = ((points[:, None] - centers) ** 2).sum(axis=2)
    own = squares[np.arange(len(points)), places]
    return bool((own <= squares.min(axis=1) * (1 + 1e-4) + 1e-12).all())
