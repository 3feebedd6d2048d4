"""Inpainting in turns: fill the gaps with what the codes say, code the full patches, allow less error each turn.

    x^t = M x + (1 - M) z^t U,     z^(t+1) = argmin ||z||_0  with  ||x^t - z U|| ≤ tol_t

Large errors are allowed first, so that only what many pixels agree on spreads into the gaps.  Elad, Starck, Querre &
Donoho, Applied and Computational Harmonic Analysis 19, 2005.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.sparse_codes.dictionary import prepare_unit
from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit import Rule
from unmix.core.iteration.loop import iterate
from unmix.images.denoise import CODING, Coder
from unmix.images.dictionary import without_levels
from unmix.images.learn import draw, learn_atoms
from unmix.images.multigrid import fill
from unmix.images.patches import average, grid_of

# Errors are root mean squares of a pixel, in units of half the range of the image.
COARSE, FINE = 0.12, 0.016  # allowed in the first and in the last turn of a round
LEARNED_AT = (0.063, 0.047)  # allowed while learning, before the second and the third round
STEP = 1.7  # missing pixels go further than the codes say: the same end in fewer turns
LEARNING_ROUNDS = 5  # of learning


class Filling(NamedTuple):
    """The image as it is filled so far, and what the codes say of every pixel."""

    iteration: int
    done: bool
    planes: np.ndarray
    estimate: np.ndarray


def em(
    planes: np.ndarray, size: int, stride: int, atoms: np.ndarray, learned: bool, noise: float, n_iter: int, seed: int
) -> np.ndarray:
    """Three rounds from coarse to fine, the later ones with atoms learned on the image as filled by then."""
    atoms = without_levels(atoms, len(planes))
    filled = fill(planes)
    state = Filling(0, False, filled, filled)
    if len(atoms) == 0:
        return filled
    d = atoms.shape[1]
    for round_ in range(3):
        if learned and round_ > 0:
            stop = max(LEARNED_AT[round_ - 1], CODING * noise) ** 2 * d
            sample = draw(state.planes, grid_of(planes, size, 1), stop, seed + round_)
            atoms = learn_atoms(sample, atoms, Rule(max(d // 4, 1), stop), LEARNING_ROUNDS)
        state = one_round(planes, state, size, stride, atoms, noise, n_iter)
    return state.estimate


def one_round(
    known: np.ndarray, state: Filling, size: int, stride: int, atoms: np.ndarray, noise: float, n_iter: int
) -> Filling:
    dictionary, gaps, d = prepare_unit(atoms), np.isnan(known), atoms.shape[1]

    def advance(state: Filling) -> tuple[Filling, dict[str, float]]:
        allowed = COARSE * (FINE / COARSE) ** (state.iteration / max(n_iter - 1, 1))
        rule = Rule(max(d // 4, 1), max(allowed, CODING * noise) ** 2 * d)
        grid = grid_of(known, size, stride, first=state.iteration % stride)
        total, weight = average(state.planes, grid, atoms, Coder(dictionary, rule, len(known)))
        estimate = (total / weight).astype(np.float32)
        change = estimate - state.planes
        moved = np.where(gaps, state.planes + STEP * change, known)
        size_of_change = float(np.sqrt(np.mean(change[gaps] ** 2))) if gaps.any() else 0.0
        return Filling(state.iteration + 1, False, moved, estimate), {"change": size_of_change}

    state = state._replace(iteration=0)
    return iterate(advance, state, max_iter=n_iter, name="filling")
