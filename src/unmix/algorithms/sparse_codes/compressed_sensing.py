"""Compressive sensing: m random measurements of a signal that is sparse in some basis, and the signal back from them.

    y = W x,   x = z U with K non-zeros in z,   so   y = z (U Wᵀ):  z is a sparse code of y in the dictionary U Wᵀ

With w_ij ~ N(0, 1/d), about c K log(d / K) measurements are enough, whatever the orthonormal basis U.
Donoho, IEEE Trans. Information Theory 52, 2006; Candès & Tao, ibid.; Tropp & Gilbert, ibid. 53, 2007.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.sparse_codes.encode import encode
from unmix.io.dispatch import as_blocks

METHODS = ("omp", "lasso")
PRICE = 1e-6  # of the largest correlation: low enough that the lasso names the right atoms, which are then refitted


def sense(x: Any, m: int, *, random_state: Any = None) -> tuple[np.ndarray, np.ndarray]:
    """m random linear measurements of each signal.

    Parameters
    ----------
    x : (d,) or (n, d) array
    m : int
        The number of measurements of each signal, usually far fewer than d.
    random_state : int, numpy Generator or None, default=None

    Returns
    -------
    y : (m,) or (n, m) array
        ``W x`` of each signal.
    W : (m, d) array
        Independent normal numbers of variance 1/d.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import dct_basis, recover, sense
    >>> U = dct_basis(256)
    >>> x = 2 * U[3] - U[40] + 0.5 * U[200]
    >>> y, W = sense(x, 40, random_state=0)
    >>> bool(np.allclose(recover(y, W, U), x))
    True
    """
    X = as_signals(x, "x")
    if isinstance(m, bool) or not isinstance(m, int | np.integer) or m < 1:
        raise ValueError(f"m={m!r}: give the number of measurements, a whole number from 1 up")
    d = X.shape[-1]
    W = (np.random.default_rng(random_state).standard_normal((m, d)) / np.sqrt(d)).astype(X.dtype)
    return X @ W.T, W


def recover(
    y: Any, W: Any, basis: Any = None, *, n_nonzero: int | None = None, tol: float = 1e-6, method: str = "omp"
) -> np.ndarray:
    """The signals behind measurements, as the sparsest that explain them.

    Parameters
    ----------
    y : (m,) or (n, m) array
        Measurements ``W x``.
    W : (m, d) array
    basis : (k, d) array, optional
        Atoms in which the signals are sparse; by default the unit vectors.
    n_nonzero : int, optional
        Most non-zeros of a code; by default m // 2, beyond which no code is the only one.
    tol : float, default=1e-6
        Stop when what is left of the measurements is this share of them. With noise, give its share.
    method : {"omp", "lasso"}, default="omp"
        Orthogonal matching pursuit, or the lasso at a price near zero (which is basis pursuit), refitted: slower, and
        right for somewhat denser signals of equal amplitudes.

    Returns
    -------
    (d,) or (n, d) array
    """
    Y = as_signals(y, "y")
    W = np.asarray(W, dtype=Y.dtype)
    if W.ndim != 2 or Y.shape[-1] != len(W):
        raise ValueError(f"y has {Y.shape[-1]} measurements and W has shape {W.shape}; W needs a row a measurement")
    U = np.eye(W.shape[1], dtype=Y.dtype) if basis is None else np.asarray(basis, dtype=Y.dtype)
    if U.ndim != 2 or U.shape[1] != W.shape[1]:
        raise ValueError(f"basis has shape {U.shape}, but W measures signals of {W.shape[1]} entries")
    if method not in METHODS:
        raise ValueError(f"method={method!r}: choose 'omp' or 'lasso'")
    most = max(len(W) // 2, 1) if n_nonzero is None else int(n_nonzero)
    rows, theta = np.atleast_2d(Y), np.ascontiguousarray(U @ W.T)
    sizes = np.abs(rows).max(axis=1, keepdims=True)  # so that no square over- or underflows
    rows = rows / np.where(sizes > 0, sizes, 1)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = np.ascontiguousarray(rows / np.where(lengths > 0, lengths, 1))
    if method == "omp":
        codes = encode(as_blocks(unit), theta, n_nonzero=most, tol=tol)
    else:
        codes = refitted(unit, theta, most)
    return np.asarray((codes * lengths) @ U * sizes).reshape(*Y.shape[:-1], U.shape[1])


def refitted(rows: np.ndarray, theta: np.ndarray, most: int) -> np.ndarray:
    """Least squares over the (at most `most`, largest) atoms that the lasso at a low price takes."""
    price = PRICE * max(float(np.abs(rows @ theta.T).max()), np.finfo(rows.dtype).tiny)
    codes = encode(as_blocks(rows), theta, "lasso", alpha=price)
    for row, z in zip(rows, codes, strict=True):
        chosen = np.argsort(-np.abs(z), kind="stable")[: min(most, np.count_nonzero(z))]
        values = np.linalg.lstsq(theta[chosen].T, row, rcond=None)[0]
        z[:] = 0
        z[chosen] = values
    return np.asarray(codes)


def as_signals(x: Any, name: str) -> np.ndarray:
    """One signal or a table of them, as floats."""
    X = np.asarray(x)
    X = X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)
    if X.ndim not in (1, 2) or X.shape[-1] == 0 or not np.isfinite(X).all():
        raise ValueError(f"{name}: give one signal or a table with a signal a row, of finite numbers")
    return X
