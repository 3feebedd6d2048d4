"""Simulated annealing of Ising models: many independent runs side by side, each with its own random stream.

    p(s) ∝ exp(-beta E(s)),    E(s) = -½ sᵀ J s - hᵀ s,    beta rises from sweep to sweep

Kirkpatrick, Gelatt & Vecchi, Science 220, 1983.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from unmix.core.execution import current_execution
from unmix.core.random import spawn
from unmix.core.threads import run_in_order
from unmix.costs.ising import IsingData, energies

# A whole row added in registers costs as much as this share of its entries added one by one.
DENSE_SHARE = 1 / 16
DENSE_BYTES = 2**30
LEAST_BETA = 1e-30  # in the unit of the model: thresholds, in single precision, are divided by it
RULES = {"metropolis": 0, "heat_bath": 1}  # as in noise.py, which is loaded on first use


class Runs(NamedTuple):
    """States (runs, n) of -1 and +1, best first, and their energies in float64."""

    spins: np.ndarray
    energy: np.ndarray


def natural_scale(data: IsingData) -> float:
    """The power of two at the largest entry: models of any size are computed at size one."""
    entries = data.J.data if hasattr(data.J, "tocsr") else data.J
    largest = max(np.abs(entries).max(initial=0.0), np.abs(data.h).max(initial=0.0))
    return float(2.0 ** np.floor(np.log2(largest))) if largest > 0 else 1.0


def row_norms(data: IsingData) -> np.ndarray:
    """√(Σ_j J_ij²), the size of the field that spins pointing anywhere make at spin i."""
    scale = natural_scale(data)
    if hasattr(data.J, "tocsr"):
        squares = sp.csr_array((np.square(data.J.data / scale), data.J.indices, data.J.indptr), shape=data.J.shape)
        return np.asarray(np.sqrt(squares.sum(axis=1))) * scale
    return np.sqrt(np.square(data.J / scale).sum(axis=1)) * scale


def beta_range(data: IsingData) -> tuple[float, float]:
    """From where the typical coupled spin is nearly free to where hardly any flips against its field."""
    norms = row_norms(data)
    norms = norms[norms > 0]
    if norms.size == 0:
        norms = np.abs(data.h[data.h != 0]) if data.h.any() else np.ones(1)
    return 0.5 / float(np.quantile(norms, 0.9)), 5.0 / float(np.quantile(norms, 0.1))


def pack(data: IsingData) -> tuple[Any, float]:
    """The model as the kernels read it, divided by a scale, which is returned with it."""
    from unmix.inference.ising.flip_kernel import BLOCK, PackedSpins

    n, scale = len(data.h), natural_scale(data)
    size = max(-(-n // BLOCK), 1) * BLOCK
    external = np.full(size, np.inf, np.float32)
    external[:n] = data.h / scale
    entries = data.J.nnz if hasattr(data.J, "tocsr") else np.count_nonzero(data.J)
    rows, graph = np.zeros((0, 0), np.float32), sp.csr_array((n, n))
    if entries > DENSE_SHARE * n * size and 4 * size * size <= DENSE_BYTES:
        rows = np.zeros((size, size), np.float32)
        rows[:n, :n] = (data.J.toarray() if hasattr(data.J, "tocsr") else data.J) / scale
    else:
        graph = sp.csr_array(data.J)
    indptr = np.concatenate([graph.indptr, np.full(size - n, graph.indptr[-1])]).astype(np.int64)
    values = (graph.data / scale).astype(np.float32)
    return PackedSpins(rows, indptr, graph.indices.astype(np.int32), values, external), scale


def random_spins(rng: np.random.Generator, n: int, size: int) -> np.ndarray:
    spins = np.ones(size, np.float32)
    spins[:n] = 2.0 * rng.integers(0, 2, n) - 1.0
    return spins


def anneal_ising(data: IsingData, betas: np.ndarray, *, runs: int, rule: int, seed: int) -> Runs:
    """`runs` annealings from random states, one sweep a beta; the same bits on any number of threads."""
    from unmix.inference.ising.flip_kernel import anneal_spins
    from unmix.inference.ising.noise import begin_noise

    model, scale = pack(data)
    n, size = len(data.h), len(model.external)
    states = np.empty((runs, n), np.int8)

    def run(index: int) -> np.ndarray:
        rng = spawn(seed, index)
        spins, best, fields = random_spins(rng, n, size), np.empty(size, np.float32), np.empty(size, np.float32)
        anneal_spins(model, np.maximum(betas * scale, LEAST_BETA), rule, begin_noise(rng, size), spins, fields, best)
        return best[:n].astype(np.int8)

    def keep(index: int, spins: np.ndarray) -> None:
        states[index] = spins

    run_in_order(run, runs, keep, current_execution().n_threads)
    energy = energies(data, states)
    order = np.argsort(energy, kind="stable")
    return Runs(states[order], energy[order])


def sample_ising(
    data: IsingData, beta: float, rule: str, n_samples: int, burn_in: int, thin: int, seed: int
) -> np.ndarray:
    """States (n_samples, n) of one chain at `beta`, after `burn_in` sweeps, `thin` sweeps apart."""
    from unmix.inference.ising.flip_kernel import follow_spins
    from unmix.inference.ising.noise import HEAT_BATH, LAZY_METROPOLIS, begin_noise

    model, scale = pack(data)
    beta = max(beta * scale, LEAST_BETA)
    n, rng = len(data.h), spawn(seed)
    spins, noise = random_spins(rng, n, len(model.external)), begin_noise(rng, len(model.external))
    fields, out = np.empty_like(spins), np.empty((n_samples, n), np.int8)
    code = HEAT_BATH if rule == "heat_bath" else LAZY_METROPOLIS
    if burn_in:
        follow_spins(model, beta, code, burn_in, noise, spins, fields, np.empty((1, n), np.int8))
    follow_spins(model, beta, code, thin, noise, spins, fields, out)
    return out
