"""Code in an orthonormal basis, keep a few coefficients, and lose exactly the energy of the others (Parseval).

z = U x,   x̂ = Σ_{k kept} z_k u_k,   ||x - x̂||² = Σ_{k dropped} z_k²
"""

from __future__ import annotations

from numbers import Integral, Real
from typing import NamedTuple

import numpy as np

from unmix.core.arguments import is_whole

CHOICES = ("largest", "first")


class Compression(NamedTuple):
    """What is left of signals after most coefficients were dropped."""

    codes: np.ndarray  # with zeros where coefficients were dropped
    reconstruction: np.ndarray
    error: float  # ||X - X̂||², the energy dropped
    curve: np.ndarray  # the same for 0, 1, … d coefficients kept of each signal: rate against distortion


def compress(x: np.ndarray, basis: np.ndarray, keep: int | float, choose: str = "largest") -> Compression:
    """Keep the largest coefficients of each signal in an orthonormal basis.

    Parameters
    ----------
    x : (n, d) or (d,) array
    basis : (d, d) array, or fewer rows
        Orthonormal atoms as rows: `dct_basis`, `haar_wavelets`, … or the components of a PCA (of centred signals).
    keep : int or float
        How many coefficients of each signal, or the share of them.
    choose : {"largest", "first"}, default="largest"
        The largest of each signal, whose places have to be stored too, or the first, the same for all: as with
        principal components.

    Returns
    -------
    Compression
        Fields: codes, reconstruction, error (the energy dropped), and curve, the error with 0, 1, … coefficients.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import compress, dct_basis
    >>> x = np.linspace(0.0, 1.0, 64) ** 2
    >>> short = compress(x, dct_basis(64), keep=4)
    >>> round(float(short.error / (x @ x)), 4)
    0.0031
    >>> bool(np.isclose(np.sum((x - short.reconstruction) ** 2), short.error))
    True
    """
    U, X = np.asarray(basis), np.asarray(x)
    X = X if np.issubdtype(X.dtype, np.floating) else X.astype(np.float64)
    if U.ndim != 2 or X.ndim not in (1, 2) or X.shape[-1] != U.shape[1]:
        raise ValueError(f"x has shape {X.shape} and basis {U.shape}; both must have as many columns")
    if not np.allclose(U @ U.T, np.eye(len(U)), atol=1e-5):
        raise ValueError("basis: its rows are not orthonormal; a dictionary that is not a basis takes SparseCoder")
    if choose not in CHOICES:
        raise ValueError(f"choose={choose!r}: choose 'largest' or 'first'")
    rows = np.atleast_2d(X)
    codes, kept = rows @ U.T.astype(X.dtype), number_kept(keep, len(U))
    order = np.argsort(-np.abs(codes), axis=1, kind="stable") if choose == "largest" else None
    energies = (codes if order is None else np.take_along_axis(codes, order, 1)).astype(np.float64) ** 2
    total = float(np.einsum("ij,ij->", rows, rows, dtype=np.float64))
    curve = total - np.concatenate([[0.0], np.cumsum(energies.sum(axis=0))])
    curve = np.maximum(curve, 0.0)
    if order is None:
        codes[:, kept:] = 0
    else:
        np.put_along_axis(codes, order[:, kept:], 0, axis=1)
    again = codes @ U.astype(X.dtype)
    return Compression(codes.reshape(*X.shape[:-1], -1), again.reshape(X.shape), float(curve[kept]), curve)


def number_kept(keep: int | float, k: int) -> int:
    if is_whole(keep, 0) and keep <= k:
        return int(keep)
    if isinstance(keep, Real) and not isinstance(keep, bool | Integral) and 0 <= keep <= 1:
        return round(float(keep) * k)
    raise ValueError(f"keep={keep!r}: give a whole number from 0 to {k}, or a share between 0.0 and 1.0")
