"""First nodes of a self-organising map: a grid laid on the plane of the first principal components, or rows.

u_r = mean + 2 Σ_a t_ra s_a e_a,   t_r in [-1, 1]² the place of node r, s_a the deviation along component e_a
"""

from __future__ import annotations

import numpy as np

from unmix.algorithms.kmeans.multi_start import choose_centers
from unmix.algorithms.principal.spectrum import spectrum
from unmix.algorithms.rows.sample import draw_sample
from unmix.core.blocks import RowBlocks
from unmix.costs.nearest.centers import Frame

HALF_WIDTH = 2.0  # standard deviations between the middle of the map and its edge
PER_NODE = 8  # rows among which a start from the data chooses


def plane_start(X: RowBlocks, weights: np.ndarray | None, frame: Frame, positions: np.ndarray, seed: int) -> np.ndarray:
    """Nodes in the frame; the longer side of the grid lies along the first component."""
    centred = positions - (positions.max(axis=0) + positions.min(axis=0)) / 2
    extent = np.abs(centred).max(axis=0)
    axes = np.argsort(-extent, kind="stable")
    places = (centred / np.where(extent > 0, extent, 1.0))[:, axes]
    found = spectrum(X, min(positions.shape[1], *X.shape), weights=weights, seed=seed)
    deviations = found.singular * (frame.scale / found.scale) / np.sqrt(found.weight)
    k = len(found.components)
    return frame.enter(found.mean) + HALF_WIDTH * (places[:, :k] * deviations[:k]) @ found.components


def row_start(X: RowBlocks, weights: np.ndarray | None, frame: Frame, k: int, seed: int) -> np.ndarray:
    """Rows drawn by weight, different ones as long as there are."""
    sample = draw_sample(X, weights, max(4096, PER_NODE * k), seed)
    return choose_centers(sample, frame, k, "random", seed, 0)
