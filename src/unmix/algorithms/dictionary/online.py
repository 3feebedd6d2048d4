"""Online dictionary learning: code a few signals, add them to sums that say how good any dictionary is, improve it.

    A = Σ_t β… Z_tᵀ W_t Z_t,   B = Σ_t β… Z_tᵀ W_t X_t:   ½ tr(Uᵀ A U) - tr(Uᵀ B) + const = ½ Σ w ||x - z U||²

at fixed codes.  Memory is k² + k d whatever the number of signals.  Old codes came from worse dictionaries and fade: a
batch counts (1 - 1/t)^FADING as much with each later one.  Mairal, Bach, Ponce & Sapiro, JMLR 11, 2010.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from unmix.algorithms.sparse_codes.codes import to_dense
from unmix.algorithms.sparse_codes.dictionary import prepare_unit, squared_norms
from unmix.algorithms.sparse_codes.lasso import Price, lasso_block
from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit import Rule, omp_block
from unmix.algorithms.sparse_codes.range import in_unit
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate
from unmix.core.linalg import row_signs
from unmix.core.random import spawn

FORGETTING_POWER = 15.0  # with 1, all count alike, and codes of bad dictionaries keep the next one bad
SWEEPS = 1
LEAST_ENERGY = 1e-3  # an atom with less than this share of the mean energy is replaced,
DUPLICATE_COSINE = 0.99  # as is one of two whose cosine is above this
FIRST_BATCHES = 100
LARGEST_MEAN = 100.0  # times the median, beyond which a mean is that of one


class Coder(NamedTuple):
    """How a batch is coded, by pursuit or at a price, and whether atoms have to be positive."""

    how: Rule | Price
    positive_atoms: bool = False

    def __call__(self, batch: np.ndarray, atoms: np.ndarray) -> np.ndarray:
        dictionary = prepare_unit(atoms)
        if isinstance(self.how, Price):
            return lasso_block(batch, None, dictionary, self.how)
        return to_dense(omp_block(batch, None, dictionary, self.how), len(atoms))

    def price(self, codes: np.ndarray, weights: np.ndarray | None) -> float:
        """What the codes themselves cost."""
        if not isinstance(self.how, Price):
            return 0.0
        sizes = np.abs(codes).sum(axis=1, dtype=np.float64)
        return self.how.alpha * float(sizes.sum() if weights is None else weights @ sizes)


class Passes(NamedTuple):
    """How rows come, and when to stop: at a small change of the atoms, or after batches without a lower cost."""

    batch_size: int
    most: int
    shuffle: bool = True
    tol: float = 0.0
    patience: int | None = None
    on_batch: Callable[[dict[str, Any]], object] | None = None


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


class Progress(NamedTuple):
    """The mean cost of a row, smoothed, the least of them, and how many batches ago it was reached."""

    cost: float
    least: float
    stale: int


class State(NamedTuple):
    knowledge: OnlineState
    progress: Progress
    iteration: int
    done: bool


def begin(atoms: np.ndarray) -> OnlineState:
    k, d = atoms.shape
    return OnlineState(atoms, np.zeros((k, k), atoms.dtype), np.zeros((k, d), atoms.dtype), 0)


def learn_batch(
    batch: np.ndarray, knowledge: OnlineState, coder: Coder, weights: np.ndarray | None = None
) -> tuple[OnlineState, float, float]:
    """What is known after one more batch of signals of positive weight, the squared error of its codes, and their cost.

    The cost is ½ Σ w ||x - z U||², and the price of the codes where they have one.
    """
    from unmix.algorithms.dictionary.online_kernel import descend_atoms

    atoms, A, B, t = knowledge
    codes = coder(batch, atoms)
    residuals = batch - codes @ atoms
    keep = (t / (t + 1)) ** FORGETTING_POWER
    weighted = codes if weights is None else codes * weights[:, None].astype(atoms.dtype)
    A = (keep * A + weighted.T @ codes).astype(atoms.dtype)
    B = (keep * B + weighted.T @ batch).astype(atoms.dtype)
    atoms = atoms.copy()
    descend_atoms(A, B, atoms, SWEEPS, coder.positive_atoms, np.empty_like(atoms[0]))
    replace_idle(atoms, A, B, residuals, rounding(batch), coder.positive_atoms)
    squares = np.einsum("ij,ij->i", residuals, residuals, dtype=np.float64)
    error = float(squares.sum() if weights is None else weights @ squares)
    return OnlineState(atoms, A, B, t + 1), error, 0.5 * error + coder.price(codes, weights)


def rounding(batch: np.ndarray) -> np.ndarray:
    """The square of each signal's residual that says nothing."""
    return np.asarray((100 * np.finfo(batch.dtype).eps) ** 2 * squared_norms(batch))


def typical_energy(energy: np.ndarray) -> float:
    """The mean energy of an atom, or the median where a vast signal made the mean."""
    mean, middle = float(energy.mean()), float(np.median(energy[energy > 0])) if energy.any() else 0.0
    return mean if mean <= LARGEST_MEAN * middle else middle


def replace_idle(
    atoms: np.ndarray, A: np.ndarray, B: np.ndarray, residuals: np.ndarray, least: np.ndarray, positive: bool = False
) -> None:
    """Atoms that are hardly used or much like another go to the worst residuals of the batch; in place."""
    energy = np.diag(A)
    products = np.abs(np.triu(atoms @ atoms.T, 1))
    residuals = np.maximum(residuals, 0) if positive else residuals
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
    passes: Passes,
    seed: int,
    weights: np.ndarray | None = None,
    unit: float = 1.0,
) -> State:
    """Passes over all rows, all of positive weight, in a new order each; rows are multiplied by ``unit``."""
    n = X.shape[0]

    def advance(state: State) -> tuple[State, dict[str, float]]:
        known, progress, error, done = state.knowledge, state.progress, 0.0, False
        order = spawn(seed, 2, state.iteration).permutation(n) if passes.shuffle else np.arange(n)
        for start in range(0, n, passes.batch_size):
            some = order[start : start + passes.batch_size]
            mass = None if weights is None else weights[some]
            new, part, cost = learn_batch(in_unit(X.take(some), unit), known, coder, mass)
            error += part
            progress = follow(progress, cost / (len(some) if mass is None else mass.sum()), len(some) / (n + 1))
            change = float(np.linalg.norm(new.atoms - known.atoms)) / len(new.atoms)
            known = new
            if passes.on_batch is not None:
                passes.on_batch({"step": known.batches - 1, "dictionary": known.atoms, "batch_cost": cost})
            if converged(passes, progress, change, known.batches, n):
                done = True
                break
        return State(known, progress, state.iteration + 1, done), {"error": error}

    first = State(knowledge, Progress(0.0, np.inf, 0), 0, False)
    return iterate(advance, first, max_iter=passes.most, name="online")


def follow(progress: Progress, cost: float, share: float) -> Progress:
    """The smoothed cost after a batch that holds a share of the rows."""
    cost = cost if progress.cost == 0 else (1 - min(share, 1.0)) * progress.cost + min(share, 1.0) * cost
    lower = cost < progress.least
    return Progress(cost, min(cost, progress.least), 0 if lower else progress.stale + 1)


def converged(passes: Passes, progress: Progress, change: float, batches: int, n: int) -> bool:
    """Not in the first pass, or the first batches: atoms are bad there, and any cost is lower than the last."""
    if batches <= min(FIRST_BATCHES, n / passes.batch_size):
        return False
    stale = passes.patience is not None and progress.stale >= passes.patience
    return stale or (passes.tol > 0 and change <= passes.tol)


def in_order(knowledge: OnlineState, signed: bool = False) -> OnlineState:
    """Atoms by falling energy, the largest entry positive unless codes have a sign; the sums follow."""
    atoms, A, B, batches = knowledge
    order = np.argsort(-np.diag(A), kind="stable")
    signs = np.ones((len(atoms), 1), atoms.dtype) if signed else row_signs(atoms[order])[:, None].astype(atoms.dtype)
    return OnlineState(atoms[order] * signs + 0, A[np.ix_(order, order)] * signs * signs.T, B[order] * signs, batches)
