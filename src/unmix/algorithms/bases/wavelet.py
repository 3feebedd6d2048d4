"""Orthogonal wavelets of compact support as bases of periodic signals.

A level splits a signal into averages and differences at half the rate, a_i = Σ_j h_j x_(2i+j), w_i = Σ_j g_j x_(2i+j),
with g_j = (-1)^j h_(L-1-j), and the next level splits the averages.  The filter h with p vanishing moments is
(1 + z)^p Q(z), where Q Q* = Σ_k C(p-1+k, k) y^k, y = (2 - z - 1/z) / 4, takes the roots inside the unit circle.
Daubechies, Communications on Pure and Applied Mathematics 41, 1988.
"""

from __future__ import annotations

from functools import partial
from math import comb

import numpy as np

from unmix.algorithms.bases.separable import Shape, axes_of, separable

MOST_MOMENTS = 20  # beyond, the roots are no longer accurate to rounding


def daubechies_filter(moments: int) -> np.ndarray:
    """The 2 p coefficients of the averaging filter, of sum √2 and length one; p = 1 is Haar's."""
    polynomial = [comb(moments - 1 + k, k) for k in range(moments)]
    taps = np.array([1.0])
    for y in np.roots(polynomial[::-1]):
        half = 1 - 2 * y  # z + 1/z = 2 half
        z = half + np.sqrt(half * half - 1 + 0j)
        taps = np.convolve(taps, [1.0, -(z if abs(z) < 1 else 1 / z)])
    for _ in range(moments):
        taps = np.convolve(taps, [1.0, 1.0])
    real = np.real(taps)
    return np.asarray(real * np.sqrt(2) / real.sum())


def wavelets(d: int, moments: int = 1, levels: int | None = None) -> np.ndarray:
    """The basis of one line: the coarsest averages first, then details from coarse to fine."""
    low = daubechies_filter(moments)
    high = low[::-1] * np.where(np.arange(low.size) % 2, -1, 1)
    averages, details, done = np.eye(d), [], 0
    while len(averages) % 2 == 0 and (levels is None or done < levels):
        n = len(averages)
        places = (2 * np.arange(n // 2)[:, None] + np.arange(low.size)) % n
        details.append(np.einsum("t,itd->id", high, averages[places]))
        averages = np.einsum("t,itd->id", low, averages[places])
        done += 1
    return np.vstack([averages, *details[::-1]])


def haar_wavelets(shape: Shape, levels: int | None = None) -> np.ndarray:
    """Orthonormal steps of all sizes and places. Good for signals with jumps.

    Parameters
    ----------
    shape : int or tuple of int
        The length of a signal, or the axes of an image or a volume; best a power of two: an axis is halved for as long
        as its length is even.
    levels : int, optional
        Halve at most this often.

    Returns
    -------
    (d, d) array, atoms as rows

    Examples
    --------
    >>> from unmix.decomposition import haar_wavelets
    >>> (haar_wavelets(4) * 2).round(3)
    array([[ 1.   ,  1.   ,  1.   ,  1.   ],
           [ 1.   ,  1.   , -1.   , -1.   ],
           [ 1.414, -1.414,  0.   ,  0.   ],
           [ 0.   ,  0.   ,  1.414, -1.414]])
    """
    return daubechies_wavelets(shape, 1, levels)


def daubechies_wavelets(shape: Shape, moments: int = 4, levels: int | None = None) -> np.ndarray:
    """Orthonormal wavelets that polynomials of degree below `moments` are invisible to; the ends are joined.

    Parameters
    ----------
    shape : int or tuple of int
        The length of a signal, or the axes of an image or a volume, halved for as long as they are even.
    moments : int, default=4
        Vanishing moments, 1 (Haar) to 20; filters have twice as many coefficients. More are smoother and less local.
    levels : int, optional
        Halve at most this often.

    Returns
    -------
    (d, d) array, atoms as rows

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import daubechies_wavelets
    >>> U = daubechies_wavelets(64, moments=4)
    >>> bool(np.allclose(U @ U.T, np.eye(64)))
    True
    """
    if isinstance(moments, bool) or not isinstance(moments, int) or not 1 <= moments <= MOST_MOMENTS:
        raise ValueError(f"moments={moments!r}: give a whole number from 1 to {MOST_MOMENTS}")
    if levels is not None and (isinstance(levels, bool) or not isinstance(levels, int) or levels < 0):
        raise ValueError(f"levels={levels!r}: give a whole number from 0 up, or None for as many as there are")
    if levels is None and any(length > 1 and length % 2 for length in axes_of(shape)):
        raise ValueError(f"shape={shape!r}: wavelets halve the axes; give even lengths, best powers of two")
    return separable(partial(wavelets, moments=moments, levels=levels), shape)
