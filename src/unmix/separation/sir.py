"""Signal to interference ratio: the power of a source in its estimate against that of all else in it, in decibels.

    ŝ_j = c s_j + e,  e ⟂ s_j:   SIR_j = 10 log10(||c s_j||² / ||e||²) = 10 log10(r² / (1 - r²)),   r their correlation

Vincent, Gribonval & Févotte, Performance measurement in blind audio source separation, IEEE Trans. ASLP 14, 2006.
"""

from __future__ import annotations

import numpy as np

from unmix.core.linalg import power_of_two
from unmix.separation.match_sources import match_sources


def sir(S, S_hat):
    """Signal to interference ratio of each source in decibels, after estimates are matched to the true sources.

    Everything in an estimate that is not its source counts as interference.

    Parameters
    ----------
    S : array of shape (n, k)
        True sources.
    S_hat : array of shape (n, l), l ≥ k
        Estimates in any order, sign and scale.

    Returns
    -------
    ndarray of shape (k,)
        In the order of S; 20 dB is interference of a hundredth of the power.

    Examples
    --------
    >>> import numpy as np
    >>> S = np.array([[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
    >>> sir(S, S @ np.array([[1.0, 0.1], [0.1, 1.0]]))
    array([20., 20.])
    """
    match = match_sources(S, S_hat)
    S = np.asarray(S, dtype=np.float64)
    unit = power_of_two(np.abs(S).max())  # so that no square over- or underflows
    S, estimate = S * unit, match.sources * unit
    true, found = S - S.mean(axis=0), estimate - estimate.mean(axis=0)
    # the least-squares match is the part along the true source after projection, so what is left is counted directly
    power = np.einsum("ij,ij->j", true, true)
    along = np.divide(np.einsum("ij,ij->j", true, found), power, out=np.zeros_like(power), where=power > 0)
    left = found - along * true
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = along**2 * power / np.einsum("ij,ij->j", left, left)
        return np.where(along == 0, -np.inf, 10 * np.log10(ratio))
