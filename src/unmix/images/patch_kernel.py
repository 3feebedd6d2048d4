"""The compiled part of patch averaging: decode a patch from its sparse code and add it to the image."""

from typing import Any

import numpy as np

from unmix.core.compiled.kernel import kernel


@kernel
def add_patches(
    total: Any,
    weight: Any,
    rows: Any,
    columns: Any,
    size: int,
    chosen: Any,
    values: Any,
    atoms: Any,
    levels: Any,
    trust: Any,
) -> None:
    """total += trust (level + Σ_j value_j atom_j) at the place of each patch, weight += trust there."""
    channels, d = total.shape[0], atoms.shape[1]
    square = size * size
    patch = np.empty(d, atoms.dtype)
    for i in range(rows.size * columns.size):
        top, left = rows[i // columns.size], columns[i % columns.size]
        for c in range(channels):
            for p in range(c * square, (c + 1) * square):
                patch[p] = levels[i, c]
        for j in range(chosen.shape[1]):
            if chosen[i, j] < 0:
                break
            atom, value = atoms[chosen[i, j]], values[i, j]
            for p in range(d):
                patch[p] += value * atom[p]
        w = trust[i]
        for c in range(channels):
            for y in range(size):
                target, start = total[c, top + y], c * square + y * size
                for x in range(size):
                    target[left + x] += w * patch[start + x]
        for y in range(size):
            for x in range(size):
                weight[top + y, left + x] += w
