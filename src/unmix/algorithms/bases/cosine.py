"""Cosines: the orthonormal basis of the discrete cosine transform, and more cosines than dimensions.

    u_kj = c_k cos(π k (j + ½) / d),   k = 0 … d-1        (basis)
    u_kj ∝ cos(π k j / K), centred for k > 0,   k = 0 … K-1    (K ≥ d atoms of length one)

Ahmed, Natarajan & Rao, IEEE Trans. Computers 23, 1974; Elad & Aharon, IEEE Trans. Image Processing 15, 2006.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from unmix.algorithms.bases.separable import Shape, axes_of, separable
from unmix.core.arguments import whole_number


def dct_basis(shape: Shape) -> np.ndarray:
    """Orthonormal cosines, slowest first: what JPEG codes with. Good for smooth signals.

    Parameters
    ----------
    shape : int or tuple of int
        The length of a signal, or the axes of an image or a volume, whose rows then are flattened.

    Returns
    -------
    (d, d) array, atoms as rows

    Examples
    --------
    >>> from unmix.decomposition import dct_basis
    >>> dct_basis(2).round(3)
    array([[ 0.707,  0.707],
           [ 0.707, -0.707]])
    >>> dct_basis((8, 8)).shape
    (64, 64)
    """
    return separable(cosines, shape)


def cosines(d: int) -> np.ndarray:
    j, k = np.arange(d), np.arange(d)[:, None]
    basis = np.sqrt(2 / d) * np.cos(np.pi * k * (j + 0.5) / d)
    basis[0] = np.sqrt(1 / d)
    return basis


def overcomplete_dct(n_atoms: int, shape: Shape) -> np.ndarray:
    """More cosines than dimensions: frequencies closer together than a basis has them, atoms of length one.

    Parameters
    ----------
    n_atoms : int
        The number of atoms. For an image or a volume the slowest products of cosines along the axes are taken.
    shape : int or tuple of int

    Returns
    -------
    (n_atoms, d) array

    Examples
    --------
    >>> from unmix.decomposition import coherence, overcomplete_dct
    >>> U = overcomplete_dct(256, (8, 8))
    >>> U.shape, round(coherence(U), 2)
    ((256, 64), 0.98)
    """
    whole_number("n_atoms", n_atoms)
    axes = axes_of(shape)
    least = int(np.ceil(n_atoms ** (1 / len(axes)) - 1e-9))
    products: Any = reduce(np.kron, [dense_cosines(least, length) for length in axes])
    frequencies = np.indices((least,) * len(axes)).reshape(len(axes), -1)
    slowest = np.lexsort((np.arange(frequencies.shape[1]), frequencies.sum(axis=0)))[:n_atoms]
    return np.ascontiguousarray(products[np.sort(slowest)])


def dense_cosines(count: int, d: int) -> np.ndarray:
    atoms = np.cos(np.pi * np.arange(count)[:, None] * np.arange(d) / count)
    atoms[1:] -= atoms[1:].mean(axis=1, keepdims=True)
    lengths = np.linalg.norm(atoms, axis=1, keepdims=True)
    return np.asarray(atoms / np.where(lengths > 1e-12, lengths, 1.0))
