"""The compiled sweeps of hartigan.py."""

from typing import Any

from unmix.core.compiled.kernel import kernel


@kernel(fastmath={"reassoc", "arcp"})  # distances are but compared, and without it columns go one by one
def exchange(rows: Any, weights: Any, labels: Any, sums: Any, mass: Any, sweeps: int) -> int:
    """Change labels, sums and weights of clusters in place; returns how many moves were made."""
    moves, quiet, i = 0, 0, 0
    n, d = rows.shape
    for _ in range(sweeps * n):
        a, w = labels[i], weights[i]
        best, price = a, 0.0
        if mass[a] > w:  # the last row of a cluster stays
            for turn in range(-1, mass.size):  # its own cluster first
                b = a if turn < 0 else turn
                if turn == a or mass[b] <= 0:
                    continue
                square = 0.0
                for j in range(d):
                    square += (rows[i, j] - sums[b, j] / mass[b]) ** 2
                if turn < 0:
                    price = w * mass[a] / (mass[a] - w) * square * (1 - 1e-12)
                elif w * mass[b] / (mass[b] + w) * square < price:
                    best, price = b, w * mass[b] / (mass[b] + w) * square
        if best != a:
            mass[a] -= w
            mass[best] += w
            for j in range(d):
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
