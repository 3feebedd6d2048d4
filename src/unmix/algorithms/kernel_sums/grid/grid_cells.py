"""The window in registers: its WIDTH values, a patch of cells it is added to, a patch it is summed over.

Three registers of four float64 hold one line of the patch. Without compiled kernels the same is done by NumPy.
"""

from typing import Any

import numpy as np
from numba import config

from unmix.algorithms.kernel_sums.grid.window import DEGREE, WIDTH
from unmix.core.compiled.kernel import kernel

if config.DISABLE_JIT:

    def fill_window(place: float, c: np.ndarray, values: np.ndarray) -> None:
        """The values at a place within a cell, by Horner's rule; c is the flat array of `coefficients`."""
        values[:] = 0.0
        for line in c.reshape(DEGREE + 1, WIDTH):
            values[:] = values * (2.0 * place - 1.0) + line

    def add_patch(
        cells: np.ndarray, start: int, stride: int, first: np.ndarray, lines: int, second: np.ndarray
    ) -> None:
        """cells[start + a stride + b] += first[a] second[b]."""
        for a in range(lines):
            cells[start + a * stride : start + a * stride + WIDTH] += first[a] * second

    def sum_patch(cells: np.ndarray, start: int, stride: int, first: np.ndarray, lines: int, second: np.ndarray) -> Any:
        """Σ_ab cells[start + a stride + b] first[a] second[b]; may overwrite ``second``."""
        patch = [first[a] * cells[start + a * stride : start + a * stride + WIDTH] for a in range(lines)]
        return np.sum(patch, axis=0) @ second

else:
    from unmix.core.compiled.simd import fill, load, multiply_add, store

    @kernel
    def fill_window(place: float, c: np.ndarray, values: np.ndarray) -> None:
        """The values at a place within a cell, by Horner's rule; c is the flat array of `coefficients`."""
        t = fill(2.0 * place - 1.0)
        x, y, z = load(c, 0), load(c, 4), load(c, 8)
        for i in range(1, DEGREE + 1):
            x = multiply_add(x, t, load(c, WIDTH * i))
            y = multiply_add(y, t, load(c, WIDTH * i + 4))
            z = multiply_add(z, t, load(c, WIDTH * i + 8))
        store(values, 0, x)
        store(values, 4, y)
        store(values, 8, z)

    @kernel
    def add_patch(
        cells: np.ndarray, start: int, stride: int, first: np.ndarray, lines: int, second: np.ndarray
    ) -> None:
        """cells[start + a stride + b] += first[a] second[b]."""
        x, y, z = load(second, 0), load(second, 4), load(second, 8)
        for a in range(lines):
            share, place = fill(first[a]), start + a * stride
            store(cells, place, multiply_add(share, x, load(cells, place)))
            store(cells, place + 4, multiply_add(share, y, load(cells, place + 4)))
            store(cells, place + 8, multiply_add(share, z, load(cells, place + 8)))

    @kernel
    def sum_patch(cells: np.ndarray, start: int, stride: int, first: np.ndarray, lines: int, second: np.ndarray) -> Any:
        """Σ_ab cells[start + a stride + b] first[a] second[b]; may overwrite ``second``."""
        x, y, z = fill(0.0), fill(0.0), fill(0.0)
        p, q, r = load(second, 0), load(second, 4), load(second, 8)
        for a in range(lines):
            share, place = fill(first[a]), start + a * stride
            x = multiply_add(share, load(cells, place), x)
            y = multiply_add(share, load(cells, place + 4), y)
            z = multiply_add(share, load(cells, place + 8), z)
        store(second, 0, multiply_add(p, x, multiply_add(q, y, multiply_add(r, z, fill(0.0)))))
        return (second[0] + second[1]) + (second[2] + second[3])
