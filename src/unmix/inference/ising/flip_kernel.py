"""Compiled sweeps of single spin flips with running local fields, on dense rows or on the neighbours of a graph.

    E(s) = -½ sᵀ J s - hᵀ s,    f = J s + h,    flipping s_i changes E by D_i = 2 s_i f_i and f_j by -2 J_ij s_i

Spins, fields and couplings are float32, padded to whole blocks; a padded spin has an infinite field and never flips.
A sweep visits the spins in order. A block in which nobody passes its threshold (noise.py) is left behind at one
look; late in an annealing that is most of them.
"""

from typing import Any, NamedTuple

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.inference.ising.noise import draw_thresholds

BLOCK = 32
MOST_DESCENTS = 1000  # sweeps that lower the energy; rounding could make them go in circles
REFRESH = 256  # sweeps after which the rounding errors of running fields are wiped out


class PackedSpins(NamedTuple):
    """An Ising model as the kernels read it: `rows` is empty for a sparse one, `data` for a dense one."""

    rows: Any  # (N, N) float32
    indptr: Any  # (N + 1,) int64
    indices: Any  # int32
    data: Any  # float32
    external: Any  # (N,) float32, infinite where padded


@kernel
def none_passes(spins: Any, fields: Any, thresholds: Any, start: int) -> bool:
    """Whether no spin of the block would flip as things stand; without a branch, so that it runs in registers."""
    count = np.int32(0)
    for i in range(start, start + BLOCK):
        count += np.int32(spins[i] * fields[i] < thresholds[i])
    return count == 0


@kernel(fastmath={"contract"})
def sweep_dense(rows: Any, spins: Any, fields: Any, thresholds: Any) -> float:
    """One sweep; returns the change of energy."""
    change = 0.0
    for start in range(0, spins.size, BLOCK):
        if none_passes(spins, fields, thresholds, start):
            continue
        for i in range(start, start + BLOCK):
            agreement = spins[i] * fields[i]
            if agreement < thresholds[i]:
                step = np.float32(-2.0) * spins[i]
                for j in range(spins.size):
                    fields[j] += step * rows[i, j]
                spins[i] = -spins[i]
                change += 2.0 * agreement
    return change


@kernel
def sweep_sparse(indptr: Any, indices: Any, data: Any, spins: Any, fields: Any, thresholds: Any) -> float:
    """One sweep; returns the change of energy."""
    change = 0.0
    for start in range(0, spins.size, BLOCK):
        if none_passes(spins, fields, thresholds, start):
            continue
        for i in range(start, start + BLOCK):
            agreement = spins[i] * fields[i]
            if agreement < thresholds[i]:
                step = np.float32(-2.0) * spins[i]
                for k in range(indptr[i], indptr[i + 1]):
                    fields[indices[k]] += step * data[k]
                spins[i] = -spins[i]
                change += 2.0 * agreement
    return change


@kernel
def sweep(model: Any, spins: Any, fields: Any, thresholds: Any) -> float:
    if model.rows.size > 0:
        return sweep_dense(model.rows, spins, fields, thresholds)
    return sweep_sparse(model.indptr, model.indices, model.data, spins, fields, thresholds)


@kernel
def local_fields(model: Any, spins: Any, fields: Any) -> None:
    """f = J s + h, anew."""
    for i in range(spins.size):
        fields[i] = model.external[i]
    if model.rows.size > 0:
        for i in range(spins.size):
            spin = spins[i]
            for j in range(spins.size):
                fields[j] += spin * model.rows[i, j]
    else:
        for i in range(spins.size):
            for k in range(model.indptr[i], model.indptr[i + 1]):
                fields[i] += model.data[k] * spins[model.indices[k]]


@kernel
def anneal_spins(model: Any, betas: Any, rule: int, noise: Any, spins: Any, fields: Any, best: Any) -> None:
    """One sweep a beta, from `spins` on; `best` becomes the best state seen at the end of a sweep, then a minimum."""
    n = spins.size
    thresholds = noise.thresholds
    energy = 0.0
    least = 0.0
    for i in range(n):
        best[i] = spins[i]
    for t in range(betas.size):
        if t % REFRESH == 0:
            local_fields(model, spins, fields)
        draw_thresholds(rule, 0.5 / betas[t], noise)
        energy += sweep(model, spins, fields, thresholds)
        if energy < least:
            least = energy
            for i in range(n):
                best[i] = spins[i]
    local_fields(model, best, fields)
    for i in range(n):
        thresholds[i] = 0
    for _ in range(MOST_DESCENTS):
        if sweep(model, best, fields, thresholds) == 0.0:
            break


@kernel
def follow_spins(model: Any, beta: float, rule: int, thin: int, noise: Any, spins: Any, fields: Any, out: Any) -> None:
    """Sweeps at one beta; every `thin`-th state is written to the next row of `out`."""
    for t in range(out.shape[0] * thin):
        if t % REFRESH == 0:
            local_fields(model, spins, fields)
        draw_thresholds(rule, 0.5 / beta, noise)
        sweep(model, spins, fields, noise.thresholds)
        if (t + 1) % thin == 0:
            for i in range(out.shape[1]):
                out[t // thin, i] = np.int8(spins[i])
