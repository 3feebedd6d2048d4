"""A dictionary for the patches of one image, learned on the image itself, however noisy or full of gaps it is.

    min_{U, Z} Σ_i ||z_i||_0   with   ||M_i (x_i - z_i U)||² ≤ stop · share of x_i that is known

by turns: pursuit of every patch to the error that noise explains, then every atom with its coefficients to the least
squares of the patches that use it (K-SVD).  Noise is not sparse in any dictionary, so what is learned is the image.
Elad & Aharon, IEEE Trans. Image Processing 15, 2006; Mairal, Elad & Sapiro, IEEE Trans. Image Processing 17, 2008.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.dictionary.ksvd import Problem, code, refit, rounding_of
from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit import Rule
from unmix.core.iteration.loop import iterate
from unmix.core.random import spawn
from unmix.images.patches import Grid, cut_at, subtract_levels
from unmix.io.dispatch import as_blocks

SAMPLE = 20_000  # patches to learn from
LOOKED_AT = 3  # times as many: those that noise explains alone teach nothing
DUPLICATE_COSINE = 0.99  # of the cosine: two such atoms do the work of one
LEAST_USES = 3  # patches that use an atom; with fewer it learns their noise


class State(NamedTuple):
    iteration: int
    done: bool
    atoms: np.ndarray


def draw(planes: np.ndarray, grid: Grid, stop: float, seed: int, most: int = SAMPLE) -> np.ndarray:
    """Different patches without their level, only such as have more to them than an error of `stop`."""
    places = spawn(seed, 0).choice(grid.n_patches, min(grid.n_patches, LOOKED_AT * most), replace=False)
    rows, _ = subtract_levels(cut_at(planes, grid, places), len(planes))
    known = ~np.isnan(rows)
    squares = np.einsum("ij,ij->i", np.where(known, rows, 0), np.where(known, rows, 0), dtype=np.float64)
    return rows[squares > stop * known.mean(axis=1)][:most]


def learn_atoms(sample: np.ndarray, start: np.ndarray, rule: Rule, n_iter: int) -> np.ndarray:
    """Atoms (k, d) of length one, from patches (n, d) with NaN where a pixel is missing."""
    if len(sample) == 0:
        return start
    known = ~np.isnan(sample)
    problem = Problem(
        as_blocks(sample), sample, None if known.all() else known, np.ones(len(sample)), rounding_of(sample), rule,
        exact=False, swaps=False, max_iter=n_iter, tol=0.0, seed=0,
    )  # fmt: skip

    def advance(state: State) -> tuple[State, dict[str, float]]:
        codes, residuals = code(problem, state.atoms)
        counts = np.bincount(codes["atom"][codes["atom"] >= 0], minlength=len(state.atoms))
        atoms = state.atoms.copy()
        refit(problem, atoms, codes, residuals)
        measured = {"nonzeros": float(counts.sum() / len(codes))}
        return State(state.iteration + 1, False, replace_idle(atoms, residuals, counts)), measured

    return iterate(advance, State(0, False, start), max_iter=n_iter, name="dictionary").atoms


def replace_idle(atoms: np.ndarray, residuals: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Atoms that hardly anybody uses or that repeat another become the worst residuals, each a different one."""
    alike = np.abs(np.triu(atoms @ atoms.T, 1)).max(axis=0) > DUPLICATE_COSINE
    idle = np.flatnonzero((counts < LEAST_USES) | alike)
    squares = np.einsum("ij,ij->i", residuals, residuals, dtype=np.float64)
    worst = np.argsort(-squares, kind="stable")[: idle.size]
    worst = worst[squares[worst] > 0]
    out = atoms.copy()
    out[idle[: worst.size]] = residuals[worst] / np.sqrt(squares[worst])[:, None]
    return out
