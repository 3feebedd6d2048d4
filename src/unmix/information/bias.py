"""Entropy of a law known only by n counts: the plug-in value is too small, a correction adds what is missing.

    none          H = -Σ p̂ log p̂,  p̂ = n_i / n                      too small by about (m - 1) / 2n, m values seen
    miller-madow  H + (m - 1) / 2n
    grassberger   log n - (1/n) Σ n_i G(n_i),   G(n) = ψ(n) + ½ (-1)ⁿ (ψ((n+1)/2) - ψ(n/2))
    chao-shen     -Σ p̃ log p̃ / (1 - (1 - p̃)ⁿ),  p̃ = p̂ (1 - f_1/n)   f_1 values seen once; weighs by chance to be seen

References: Miller, Note on the bias of information estimates (1955); Grassberger, Entropy estimates from insufficient
samplings, arXiv physics/0307138 (2003); Chao & Shen, Environmental and Ecological Statistics 10 (2003).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.special import digamma

from unmix.information.distribution import as_distribution, is_sparse, x_log_x

CORRECTIONS = ("none", "miller-madow", "grassberger", "chao-shen")


def corrected_nats(table: Any, correction: str, name: str = "p") -> float:
    """Entropy in nats from counts of any shape, dense or sparse, under a correction other than "none"."""
    counts = _whole_counts(table, name)
    n = float(counts.sum())
    if correction == "miller-madow":
        return _plug_in(counts, n) + (len(counts) - 1) / (2 * n)
    if correction == "grassberger":
        return float(np.log(n) - (counts * _grassberger(counts)).sum() / n)
    return _chao_shen(counts, n)


def checked_correction(correction: str) -> str:
    if correction not in CORRECTIONS:
        raise ValueError(f"correction={correction!r} is not known; give one of {', '.join(map(repr, CORRECTIONS))}")
    return correction


def _plug_in(counts: np.ndarray, n: float) -> float:
    return -float(x_log_x(counts / n).sum())


def _grassberger(counts: np.ndarray) -> np.ndarray:
    sign = np.where(counts % 2 == 0, 1.0, -1.0)
    return np.asarray(digamma(counts) + 0.5 * sign * (digamma((counts + 1) / 2) - digamma(counts / 2)))


def _chao_shen(counts: np.ndarray, n: float) -> float:
    once = min(float((counts == 1).sum()), n - 1)  # were all values seen once, the coverage would be guessed as zero
    share = (1 - once / n) * counts / n
    seen = -np.expm1(n * np.log1p(-np.minimum(share, 1 - 1e-16)))
    return -float((x_log_x(share) / np.where(share > 0, seen, 1.0)).sum())


def _whole_counts(table: Any, name: str) -> np.ndarray:
    """The positive counts in float64; what is no count is refused, for a law has no n."""
    as_distribution(table, name)  # speaks up about NaN, negative numbers and empty tables
    raw = csr_array(coo_array(table, copy=True)).data if is_sparse(table) else table  # repeated entries are added up
    counts = np.asarray(raw, dtype=np.float64).ravel()
    if (counts != np.round(counts)).any():
        raise ValueError(f"{name} holds numbers that are not whole; a correction needs counts, not probabilities")
    return counts[counts > 0]
