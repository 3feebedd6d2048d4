"""K-means at one temperature on a small table, in one compiled call: EM on means and Gibbs shares.

    q_ic = exp(-||x_i - u_c||² / T) / Z_i,   u_c = Σ_i q_ic x_i / Σ_i q_ic,   F/nT = -mean_i log Z_i

The same steps as the general way (gibbs_path.py) takes, without the price of a dozen array calls a step, which is most
of it where rows are few and tables are many.
"""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel
from unmix.inference.local.soften import RUN, constants, soften


def iterate_means(columns: np.ndarray, means: np.ndarray, T: float, max_iter: int, tol: float) -> tuple[Any, float]:
    """Moves `means` (k, d) in place, for columns (d, n); shares (n, k), and the free energy of a row in units of T."""
    numbers, integer = constants(np.float64)
    q, work = np.empty((len(means), columns.shape[1])), np.empty((4, RUN))
    free_energy = _iterate(columns, means, 1 / T, max_iter, tol, q, numbers, work, work.view(integer))
    return q.T, float(free_energy)


@kernel
def _iterate(
    columns: Any, means: Any, beta: float, max_iter: int, tol: float, q: Any, numbers: Any, work: Any, work_bits: Any
) -> float:
    n, before, free_energy = q.shape[1], np.inf, 0.0
    ones, log_z = np.ones(n), np.empty(n)
    for _ in range(max_iter):
        measure(columns, means, q)
        soften(q, beta, ones, log_z, numbers, work, work_bits)
        free_energy = -log_z.sum() / n
        if before - free_energy < tol:
            break
        before = free_energy
        move(columns, q, means)
    return free_energy


@kernel
def measure(columns: Any, means: Any, h: Any) -> None:
    """h (k, n): squared distances, by differences."""
    for c in range(h.shape[0]):
        row = h[c]
        row[:] = 0.0
        for j in range(columns.shape[0]):
            x, u = columns[j], means[c, j]
            for i in range(row.size):
                row[i] += (x[i] - u) * (x[i] - u)


@kernel(fastmath={"contract", "reassoc"})
def move(columns: Any, q: Any, means: Any) -> None:
    """Means of rows by their shares; a cluster without weight keeps its own."""
    for c in range(q.shape[0]):
        share, mass = q[c], 0.0
        for i in range(share.size):
            mass += share[i]
        if mass > 0:
            for j in range(columns.shape[0]):
                x, total = columns[j], 0.0
                for i in range(share.size):
                    total += share[i] * x[i]
                means[c, j] = total / mass
