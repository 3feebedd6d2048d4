"""Codes by one comparison: what a signal has of each atom, less a price; in an orthonormal basis that is the lasso.

z_k = sign(<x, u_k>) max(|<x, u_k>| - alpha, 0)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.sparse_codes.lasso import Price


def threshold_block(block: Any, rows: Any, atoms: np.ndarray, price: Price) -> np.ndarray:
    """Dense codes (m, k) of the signals of a block."""
    shares = np.asarray(block @ atoms.T)
    codes = np.maximum(shares if price.positive else np.abs(shares), price.alpha) - shares.dtype.type(price.alpha)
    return codes if price.positive else np.copysign(codes, shares) + 0.0
