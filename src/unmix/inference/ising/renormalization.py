"""Better states from a population: spins that keep their relative orientation in several parents move as one.

    s_i^p s_j^p the same for all parents p and a path of couplings between i and j  =>  one block spin t_g,
    s_i = s_i^0 t_g(i),    J'_gh = Σ_i∈g Σ_j∈h s_i^0 J_ij s_j^0,    h'_g = Σ_i∈g s_i^0 h_i

What good states have in common is probably right, and where they differ are the large blocks that single flips cannot
turn. The small model of block spins is annealed; its ground state is at least as good as every parent.

Houdayer & Martin, Renormalization for discrete optimization, Physical Review Letters 83, 1999.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from unmix.core.execution import current_execution, execution
from unmix.core.random import spawn
from unmix.core.threads import run_in_order
from unmix.costs.ising import IsingData, energies
from unmix.inference.ising.annealing import Runs, anneal_ising, beta_range

BLOCK_SHARE = 0.25  # parents are added until there are this many block spins a spin
MOST_PARENTS = 60  # their agreements are bits of one integer
SWEEPS = 100
TRIES = 4


def block_spins(graph: sp.csr_array, pool: np.ndarray, order: np.ndarray) -> tuple[int, np.ndarray]:
    """The number of blocks and the block of each spin, for as many parents in this order as leave enough blocks."""
    from unmix.inference.ising.block_kernel import label_blocks

    n = pool.shape[1]
    keys, block, stack, count = np.zeros(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64), 0
    for parent in order[1:MOST_PARENTS]:
        keys = 2 * keys + (pool[parent] == pool[order[0]])
        block[:] = -1
        count = label_blocks(graph.indptr, graph.indices, keys, block, stack)
        if count >= BLOCK_SHARE * n:
            break
    return count, block


def contract(data: IsingData, reference: np.ndarray, count: int, block: np.ndarray) -> IsingData:
    """The model of the block spins, without the constant energy inside the blocks."""
    n = len(block)
    turn = sp.csr_array((reference.astype(np.float64), (np.arange(n), block)), shape=(n, count))
    J: Any = turn.T @ (data.J @ turn) if hasattr(data.J, "tocsr") else turn.T @ (turn.T @ data.J).T
    if hasattr(J, "tocsr"):
        J = sp.csr_array(J)
        J.setdiag(0.0)
        J.eliminate_zeros()
    else:
        np.fill_diagonal(J, 0.0)
    return IsingData(J, turn.T @ data.h)


def offspring(data: IsingData, graph: sp.csr_array, pool: np.ndarray, seed: int, key: int) -> np.ndarray:
    """A child of as many random members of the pool as leave enough block spins."""
    rng = spawn(seed, key)
    order = rng.permutation(len(pool))
    count, block = block_spins(graph, pool, order)
    reference = pool[order[0]]
    small = contract(data, reference, count, block)
    betas = np.linspace(*beta_range(small), SWEEPS)
    with execution(threads=1):
        best = anneal_ising(small, betas, runs=TRIES, rule=0, seed=int(rng.integers(2**31)))
    return (reference * best.spins[0][block]).astype(np.int8)


def distinct(states: np.ndarray, energy: np.ndarray, signed: bool, size: int) -> Runs:
    """The best different states; without a field a state and its opposite are the same."""
    canonical = states if signed else states * states[:, :1]
    _, first = np.unique(canonical, axis=0, return_index=True)
    order = first[np.argsort(energy[first], kind="stable")][:size]
    return Runs(canonical[order], energy[order])


def brood(data: IsingData, graph: sp.csr_array, pool: np.ndarray, size: int, seed: int, generation: int) -> np.ndarray:
    """One generation: children (size, n), each with a random stream of its own."""
    children = np.empty((size, pool.shape[1]), np.int8)

    def work(i: int) -> np.ndarray:
        return offspring(data, graph, pool, seed, generation * size + i)

    def keep(i: int, child: np.ndarray) -> None:
        children[i] = child

    run_in_order(work, size, keep, current_execution().n_threads)
    return children


def improve(data: IsingData, runs: Runs, *, generations: int, patience: int, seed: int) -> Runs:
    """Generations of offspring until the best has not changed for `patience` of them, or one state is left."""
    graph = sp.csr_array(data.J)
    size, signed, quiet = len(runs.spins), bool(data.h.any()), 0
    pool = distinct(runs.spins, runs.energy, signed, size)
    for generation in range(generations):
        if len(pool.spins) < 2 or quiet == patience:
            break
        born = brood(data, graph, pool.spins, size, seed, generation)
        states = np.concatenate([pool.spins, born])
        after = distinct(states, np.concatenate([pool.energy, energies(data, born)]), signed, size)
        quiet = 0 if after.energy[0] < pool.energy[0] else quiet + 1
        pool = after
    return pool
