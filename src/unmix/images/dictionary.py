"""First dictionaries of patches: more cosines than pixels for what all channels share, cosines for colour differences.

Colour patches are one vector, channel after channel.  An atom of brightness is a cosine in all channels alike, one of
colour a cosine in a combination of channels that sums to zero; both have length one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.bases.cosine import dct_basis, overcomplete_dct
from unmix.algorithms.sparse_codes.dictionary import prepare

COLOURS = np.array([[1, 1, 1], [1, 0, -1], [1, -2, 1]]) / np.sqrt([[3], [2], [6]])
NAMES = ("learned", "dct")


def cosine_atoms(size: int, channels: int) -> np.ndarray:
    """Atoms (k, channels size²); the constant ones come first in their group."""
    grey = overcomplete_dct((2 * size) ** 2, (size, size))
    if channels == 1:
        return grey.astype(np.float32)
    plain = dct_basis((size, size))
    return np.vstack([np.kron(COLOURS[:1], grey), *(np.kron(mix[None], plain) for mix in COLOURS[1:])]).astype(
        np.float32
    )


def without_levels(atoms: np.ndarray, channels: int) -> np.ndarray:
    """Atoms for patches whose level was taken off: each channel centred, those that were constant left out."""
    parts = atoms.reshape(len(atoms), channels, -1).astype(np.float64)
    centred = (parts - parts.mean(axis=2, keepdims=True)).reshape(atoms.shape)
    return centred[np.linalg.norm(centred, axis=1) > 1e-6 * np.linalg.norm(atoms, axis=1)].astype(np.float32)


def first_atoms(dictionary: Any, size: int, channels: int) -> np.ndarray:
    """Unit atoms (k, d) to start from or to work with."""
    if isinstance(dictionary, str):
        if dictionary not in NAMES:
            raise ValueError(
                f"dictionary={dictionary!r} is not known; choose 'learned' or 'dct', or give atoms as rows"
            )
        return cosine_atoms(size, channels)
    atoms = np.asarray(dictionary, dtype=np.float64)
    d = channels * size * size
    if atoms.ndim != 2 or atoms.shape[1] != d or len(atoms) == 0 or not np.isfinite(atoms).all():
        raise ValueError(
            f"dictionary has shape {atoms.shape}; give finite atoms as rows of {d} numbers: patches of {size}×{size}"
            + (f" pixels, {channels} channels one after the other" if channels > 1 else " pixels")
        )
    return prepare(atoms, np.float32).atoms
