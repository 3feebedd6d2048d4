"""Compression of an image: code in an orthonormal basis, keep the largest coefficients, lose the energy of the others.

    ||x - x̂||² = Σ_{k dropped} z_k²        (Parseval)

The basis is that of square tiles, as in JPEG, or of the whole image.  Tiles that the edge cuts off have a basis of
their own size, so that all of it together is orthonormal for an image of any size.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.algorithms.bases.compression import number_kept
from unmix.algorithms.bases.cosine import cosines
from unmix.algorithms.bases.fourier import waves
from unmix.algorithms.bases.wavelet import wavelets
from unmix.core.arguments import whole_number
from unmix.images.picture import open_picture

LINES = {"dct": cosines, "fourier": waves, "haar": wavelets, "daubechies": lambda d: wavelets(d, moments=4)}
BASES = (*LINES, "pca")


class CompressedImage(NamedTuple):
    """What is left of an image after most coefficients were dropped."""

    image: np.ndarray
    error: float  # ||x - x̂||² in squared units of the image, before rounding to whole numbers
    curve: np.ndarray  # (m, 2): share of coefficients kept, mean square error then
    kept: int


def compress(image: np.ndarray, keep: int | float, basis: str = "dct", tile: int | None = 8) -> CompressedImage:
    """Keep the largest coefficients of an image in an orthonormal basis.

    Parameters
    ----------
    image : (h, w) or (h, w, 3) array
    keep : int or float
        How many coefficients of the whole image, or the share of them.
    basis : {"dct", "fourier", "haar", "daubechies", "pca"}, default="dct"
        "pca" are the principal components of the tiles themselves: the best a basis can do for the first coefficients,
        but the basis has to be stored too. The mean tile counts as one more coefficient each, which is not dropped.
    tile : int or None, default=8
        The side of the tiles; None takes the whole image as one, best for wavelets (not for "pca").

    Returns
    -------
    CompressedImage
        Fields: image, error (the energy dropped), curve (rate and distortion), kept.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.images import compress
    >>> x, y = np.meshgrid(np.linspace(0, 3, 40), np.linspace(0, 2, 30))
    >>> image = np.sin(x * y)
    >>> short = compress(image, 0.1)
    >>> bool(np.isclose(np.sum((image - short.image) ** 2), short.error)), bool(short.error < 0.001 * (image**2).sum())
    (True, True)
    """
    picture = open_picture(image)
    if basis not in BASES:
        raise ValueError(f"basis={basis!r} is not known; choose one of {', '.join(map(repr, BASES))}")
    if tile is not None:
        whole_number("tile", tile, 2, ", or None for the whole image")
    elif basis == "pca":
        raise ValueError("tile=None: principal components need many tiles to be learned from; give their side, as 8")
    planes = np.moveaxis(np.atleast_3d(picture.given).astype(np.float64), -1, 0)
    parts = [Part(planes[region], sides, basis) for region, sides in regions(planes.shape, tile)]
    energies = np.concatenate([part.codes.ravel() ** 2 for part in parts])
    kept = number_kept(keep, energies.size)
    order = np.argsort(-energies, kind="stable")
    mark = np.zeros(energies.size, bool)
    mark[order[:kept]] = True
    out, start = np.empty_like(planes), 0
    for part, (region, _) in zip(parts, regions(planes.shape, tile)):
        out[region] = part.decode(mark[start : start + part.codes.size].reshape(part.codes.shape))
        start += part.codes.size
    left = np.concatenate([[0.0], np.cumsum(energies[order][::-1])])[::-1]
    rates = np.unique(np.round(np.geomspace(1, energies.size, 100)).astype(int))
    curve = np.column_stack([rates / energies.size, left[rates] / energies.size])
    return CompressedImage(back(out, picture.given), float(left[kept]), curve, kept)


def regions(shape: tuple[int, ...], tile: int | None) -> list[tuple[tuple[slice, ...], tuple[int, int]]]:
    """Parts of the image with tiles of one shape each: the bulk, and what the right and the lower edge cut off."""
    cuts = []
    for length in shape[1:]:
        side = tile or length
        bulk = length // side * side
        ends = [(slice(0, bulk), side)] if bulk else []
        cuts.append(ends + ([(slice(bulk, length), length - bulk)] if bulk < length else []))
    return [((slice(None), rows, columns), (a, b)) for rows, a in cuts[0] for columns, b in cuts[1]]


class Part:
    """One region: its codes (n, d), and the way back. d is kept as two axes, so that large tiles stay cheap."""

    def __init__(self, planes: np.ndarray, sides: tuple[int, int], basis: str) -> None:
        self.shape, (a, b) = planes.shape, sides
        c, h, w = planes.shape
        self.tiles = planes.reshape(c, h // a, a, w // b, b).transpose(0, 1, 3, 2, 4).reshape(-1, a, b)
        self.mean, self.atoms = 0.0, None
        if basis == "pca" and len(self.tiles) > 1:
            flat = self.tiles.reshape(len(self.tiles), -1)
            self.mean = flat.mean(axis=0)
            self.atoms = np.linalg.eigh((flat - self.mean).T @ (flat - self.mean))[1].T[::-1]
            self.codes = (flat - self.mean) @ self.atoms.T
        else:
            line = LINES["dct" if basis == "pca" else basis]
            self.rows, self.columns = line(a), line(b)
            self.codes = self.rows @ self.tiles @ self.columns.T

    def decode(self, kept: np.ndarray) -> np.ndarray:
        codes = np.where(kept, self.codes, 0.0)
        if self.atoms is not None:
            tiles = (codes @ self.atoms + self.mean).reshape(self.tiles.shape)
        else:
            tiles = self.rows.T @ codes @ self.columns
        (c, h, w), (_, a, b) = self.shape, self.tiles.shape
        return tiles.reshape(c, h // a, w // b, a, b).transpose(0, 1, 3, 2, 4).reshape(c, h, w)


def back(planes: np.ndarray, given: np.ndarray) -> np.ndarray:
    values = np.moveaxis(planes, 0, -1).reshape(given.shape)
    if given.dtype.kind == "u":
        values = np.clip(np.rint(values), 0, np.iinfo(given.dtype).max)
    return values.astype(given.dtype)
