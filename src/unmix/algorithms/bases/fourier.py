"""The Fourier basis in real numbers: a constant, then a cosine and a sine of every frequency.

u = √(2/d) cos(2π k j / d),  √(2/d) sin(2π k j / d),   k = 1 … ⌊(d-1)/2⌋,   and (-1)^j / √d for even d
"""

from __future__ import annotations

import numpy as np

from unmix.algorithms.bases.separable import Shape, separable


def fourier_basis(shape: Shape) -> np.ndarray:
    """Orthonormal sines and cosines, slowest first. Good for periodic signals, poor for local events.

    Parameters
    ----------
    shape : int or tuple of int
        The length of a signal, or the axes of an image or a volume.

    Returns
    -------
    (d, d) array, atoms as rows

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import fourier_basis
    >>> U = fourier_basis(16)
    >>> wave = np.cos(2 * np.pi * 3 * np.arange(16) / 16)
    >>> np.flatnonzero(np.abs(U @ wave) > 1e-9)
    array([5])
    """
    return separable(waves, shape)


def waves(d: int) -> np.ndarray:
    turns = 2 * np.pi * np.arange(d) / d
    basis = np.empty((d, d))
    basis[0] = 1 / np.sqrt(d)
    for k in range(1, (d - 1) // 2 + 1):
        basis[2 * k - 1] = np.sqrt(2 / d) * np.cos(k * turns)
        basis[2 * k] = np.sqrt(2 / d) * np.sin(k * turns)
    if d % 2 == 0:
        basis[-1] = np.where(np.arange(d) % 2, -1, 1) / np.sqrt(d)
    return basis
