"""The compiled sweeps of hartigan.py."""

from typing import Any

import numba


@numba.njit(cache=True, nogil=True)
def exchange(rows: Any, weights: Any, labels: Any, sums: Any, mass: Any, sweeps: int) -> int:
    """Change labels, sums and weights of clusters in place; returns how many moves were made."""
    moves, quiet, i = 0, 0, 0
    n = rows.shape[0]
    for _ in range(sweeps * n):
        a, w = labels[i], weights[i]
        best, price = a, 0.0
        if mass[a] > w:  # the last row of a cluster stays
            price = w * mass[a] / (mass[a] - w) * distance(rows[i], sums[a], mass[a]) * (1 - 1e-12)
            for b in range(mass.size):
                if b != a and mass[b] > 0:
                    offer = w * mass[b] / (mass[b] + w) * distance(rows[i], sums[b], mass[b])
                    if offer < price:
                        best, price = b, offer
        if best != a:
            mass[a] -= w
            mass[best] += w
            for j in range(rows.shape[1]):
                sums[a, j] -= w * rows[i, j]
                sums[best, j] += w * rows[i, j]
            labels[i] = best
            moves, quiet = moves + 1, 0
        else:
            quiet += 1
        if quiet == n:
            break
        i = (i + 1) % n
    return moves


@numba.njit(cache=True, nogil=True)
def distance(row: Any, sums: Any, mass: float) -> float:
    """||x - sums / mass||²."""
    total = 0.0
    for j in range(row.size):
        difference = row[j] - sums[j] / mass
        total += difference * difference
    return total
