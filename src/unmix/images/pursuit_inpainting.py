"""Inpainting in one go: every patch coded by what its known pixels say.

    min ||z||_0  with  ||M (x - z U)||² ≤ stop · share known,   M = 1 where x is known

Mairal, Elad & Sapiro, IEEE Trans. Image Processing 17, 2008.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from unmix.algorithms.sparse_codes.dictionary import Dictionary, prepare_unit
from unmix.algorithms.sparse_codes.masked import gappy_block
from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit import Rule
from unmix.images.alternating_inpainting import FINE
from unmix.images.denoise import CODING
from unmix.images.learn import draw, learn_atoms
from unmix.images.multigrid import fill
from unmix.images.patches import Estimate, average, grid_of, subtract_levels

MOST_ATOMS = 12  # of a patch
SAMPLE, TURNS = 6000, 5  # of learning: pursuit with gaps is slower than without


def pursuit(
    planes: np.ndarray,
    size: int,
    stride: int,
    atoms: np.ndarray,
    learned: bool,
    noise: float,
    seed: int,
    said: Callable[[int, int], None],
) -> np.ndarray:
    """Every patch by what its known pixels say; pixels no patch knows of are filled smoothly."""
    d = atoms.shape[1]
    rule = Rule(min(MOST_ATOMS, d), max(FINE, CODING * noise) ** 2 * d)
    if learned:
        sample = draw(planes, grid_of(planes, size, 1), rule.stop, seed, SAMPLE)
        atoms = learn_atoms(sample, atoms, rule, TURNS)
    coder = GappyCoder(prepare_unit(atoms), rule, len(planes))
    total, weight = average(planes, grid_of(planes, size, stride), atoms, coder, said)
    estimate = np.where(weight > 0, total / np.where(weight > 0, weight, 1), np.nan)
    return fill(np.where(weight > 0, estimate, planes).astype(planes.dtype))


class GappyCoder:
    """Codes of patches with gaps; the more atoms were fitted to few pixels, the less they are trusted elsewhere."""

    def __init__(self, dictionary: Dictionary, rule: Rule, channels: int) -> None:
        self.dictionary, self.rule, self.channels = dictionary, rule, channels

    def __call__(self, rows: np.ndarray) -> Estimate:
        known = ~np.isnan(rows).reshape(len(rows), self.channels, -1)
        rows, levels = subtract_levels(rows, self.channels)
        codes = gappy_block(rows, None, self.dictionary, self.rule)
        counts = (codes["atom"] >= 0).sum(axis=1)
        trust = np.where(known.any(axis=2).all(axis=1), 1 / (1 + counts), 0)
        return Estimate(codes, levels, trust.astype(np.float32))
