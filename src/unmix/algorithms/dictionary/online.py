"""Online dictionary learning: code a few signals, add them to sums that say how good any dictionary is, improve it.

    A = Σ_t β… Z_tᵀ W_t Z_t,   B = Σ_t β… Z_tᵀ W_t X_t:   ½ tr(Uᵀ A U) - tr(Uᵀ B) + const = ½ Σ w ||x - z U||²

at fixed codes.  Memory is k² + k d whatever the number of signals.  Old codes came from worse dictionaries and fade: a
batch counts (1 - 1/t)^FADING as much with each later one.  Mairal, Bach, Ponce & Sapiro, JMLR 11, 2010.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.sparse_codes.codes import to_dense
from unmix.algorithms.sparse_codes.dictionary import prepare_unit, squared_norms
from unmix.algorithms.sparse_codes.lasso import lasso_block
from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit import Rule, omp_block
from unmix.algorithms.sparse_codes.range import in_unit
from unmix.core.blocks import RowBlocks
from unmix.core.linalg import row_signs
from unmix.core.loop import iterate
from unmix.core.random import spawn

FORGETTING_POWER = 15.0  # with 1, all count alike, and codes of bad dictionaries keep the next one bad
SWEEPS = 1
LEAST_ENERGY = 1e-3  # an atom with less than this share of the mean energy is replaced,
DUPLICATE_COSINE = 0.99  # as is one of two whose cosine is above this
LARGEST_MEAN = 100.0  # times the median, beyond which a mean is that of one


class Coder(NamedTuple):
    """How a batch is coded: by pursuit where there is a rule, else by the lasso at a price."""

    rule: Rule | None
    alpha: float = 1.0

    def __call__(self, batch: np.ndarray, atoms: np.ndarray) -> np.ndarray:
        dictionary = prepare_unit(atoms)
        if self.rule is None:
            return lasso_block(batch, None, dictionary, self.alpha)
        return to_dense(omp_block(batch, None, dictionary, self.rule), len(atoms))


class OnlineState(NamedTuple):
    """A dictionary, the sums of its past codes, and the number of batches in them."""

    atoms: np.ndarray
    A: np.ndarray
    B: np.ndarray
    batches: int


def change_unit(knowledge: OnlineState, ratio: float) -> OnlineState:
    """The sums for rows times ``ratio``; where they would leave the range of numbers, they begin anew."""
    if ratio > 1:
        return knowledge._replace(A=np.zeros_like(knowledge.A), B=np.zeros_like(knowledge.B))
    kind = knowledge.atoms.dtype.type
    return knowledge._replace(A=knowledge.A * kind(ratio) * kind(ratio), B=knowledge.B * kind(ratio) * kind(ratio))


class State(NamedTuple):
    knowledge: OnlineState
    iteration: int
    done: bool


def begin(atoms: np.ndarray) -> OnlineState:
    k, d = atoms.shape
    return OnlineState(atoms, np.zeros((k, k), atoms.dtype), np.zeros((k, d), atoms.dtype), 0)


def learn_batch(
    batch: np.ndarray, knowledge: OnlineState, coder: Coder, weights: np.ndarray | None = None
) -> tuple[OnlineState, float]:
    """What is known after one more batch of signals of positive weight, and the squared error of its codes."""
    from unmix.algorithms.dictionary.online_kernel import descend_atoms

    atoms, A, B, t = knowledge
    codes = coder(batch, atoms)
    residuals = batch - codes @ atoms
    keep = (t / (t + 1)) ** FORGETTING_POWER
    weighted = codes if weights is None else codes * weights[:, None].astype(atoms.dtype)
    A = (keep * A + weighted.T @ codes).astype(atoms.dtype)
    B = (keep * B + weighted.T @ batch).astype(atoms.dtype)
    atoms = atoms.copy()
    descend_atoms(A, B, atoms, SWEEPS, np.empty_like(atoms[0]))
    replace_idle(atoms, A, B, residuals, rounding(batch))
    squares = np.einsum("ij,ij->i", residuals, residuals, dtype=np.float64)
    return OnlineState(atoms, A, B, t + 1), float(squares.sum() if weights is None else weights @ squares)


def rounding(batch: np.ndarray) -> np.ndarray:
    """The square of each signal's residual that says nothing."""
    return np.asarray((100 * np.finfo(batch.dtype).eps) ** 2 * squared_norms(batch))


def typical_energy(energy: np.ndarray) -> float:
    """The mean energy of an atom, or the median where a vast signal made the mean."""
    mean, middle = float(energy.mean()), float(np.median(energy[energy > 0])) if energy.any() else 0.0
    return mean if mean <= LARGEST_MEAN * middle else middle


def replace_idle(atoms: np.ndarray, A: np.ndarray, B: np.ndarray, residuals: np.ndarray, least: np.ndarray) -> None:
    """Atoms that are hardly used or much like another go to the worst residuals of the batch; in place."""
    energy = np.diag(A)
    products = np.abs(np.triu(atoms @ atoms.T, 1))
    idle = np.flatnonzero((energy < LEAST_ENERGY * typical_energy(energy)) | (products > DUPLICATE_COSINE).any(axis=0))
    for k, direction in zip(
        idle, worst_directions(residuals, np.delete(atoms, idle, axis=0), idle.size, least), strict=False
    ):
        atoms[k] = direction
        A[k, :], A[:, k], B[k] = 0, 0, 0


def worst_directions(residuals: np.ndarray, atoms: np.ndarray, most: int, least: np.ndarray) -> np.ndarray:
    """The largest residuals at length one, of squares above ``least``; none much like an atom or a larger one."""
    squares = squared_norms(residuals) * (squared_norms(residuals) > least)
    # The lasso leaves many residuals of one length: then the order goes by content, not by place or rounding.
    digits = np.round(np.log(squares + np.finfo(np.float64).tiny) * 1e4)
    taken = atoms
    for i in np.lexsort((residuals @ np.arange(1.0, residuals.shape[1] + 1), -digits)):
        if len(taken) == len(atoms) + most or not squares[i] > 0:
            break
        direction = residuals[i] / residuals.dtype.type(np.sqrt(squares[i]))
        if not (np.abs(taken @ direction) > DUPLICATE_COSINE).any():
            taken = np.vstack([taken, direction])
    return taken[len(atoms) :]


def online_dictionary(
    X: RowBlocks,
    knowledge: OnlineState,
    coder: Coder,
    batch_size: int,
    epochs: int,
    seed: int,
    weights: np.ndarray | None = None,
    unit: float = 1.0,
) -> OnlineState:
    """Passes over all rows, all of positive weight, in a new order each; rows are multiplied by ``unit``."""
    n = X.shape[0]

    def advance(state: State) -> tuple[State, dict[str, float]]:
        known, error = state.knowledge, 0.0
        order = spawn(seed, 2, state.iteration).permutation(n)
        for start in range(0, n, batch_size):
            some = order[start : start + batch_size]
            batch = in_unit(X.take(some), unit)
            known, part = learn_batch(batch, known, coder, None if weights is None else weights[some])
            error += part
        return State(known, state.iteration + 1, False), {"error": error}

    return iterate(advance, State(knowledge, 0, False), max_iter=epochs, name="online").knowledge


def in_order(knowledge: OnlineState) -> OnlineState:
    """Atoms by falling energy, the largest entry positive; the sums follow."""
    atoms, A, B, batches = knowledge
    order = np.argsort(-np.diag(A), kind="stable")
    signs = row_signs(atoms[order])[:, None].astype(atoms.dtype)
    return OnlineState(atoms[order] * signs + 0, A[np.ix_(order, order)] * signs * signs.T, B[order] * signs, batches)
