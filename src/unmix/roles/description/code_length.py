"""What roles, assignments and errors cost in bits, and what an entry is worth that a role covers.

A granted entry is missing at the rate f0, one that is not granted is there at the rate f1:

L = d Σ_k H(|P_k| / d) + n Σ_k H(|U_k| / n) + G H(f0) + (n d - G) H(f1),    H(p) = -p log2 p - (1 - p) log2 (1 - p)

with P_k and U_k the permissions and users of role k and G the entries that roles grant. Covering a one saves
log2((1 - f0) / f1) bits, covering a zero costs log2((1 - f1) / f0).

Reference: Rissanen, Modeling by shortest data description, Automatica 14 (1978).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

LEAST_ERRORS = 0.5  # of each kind that are assumed, so that no rate is 0
MOST_MISSING = 0.25  # of granted entries: a role of which users lack more is none


class Rates(NamedTuple):
    """``missing`` f0 among granted entries, ``extra`` f1 among the others."""

    missing: float
    extra: float

    @property
    def reward(self) -> float:
        """Bits that a covered one saves."""
        return float(np.log2((1 - self.missing) / self.extra))

    @property
    def penalty(self) -> float:
        """Bits that a covered zero costs."""
        return float(np.log2((1 - self.extra) / self.missing))


def entropy(share: Any) -> Any:
    """H in bits of a share of ones.

    >>> entropy(0.5), entropy(0.0)
    (1.0, 0.0)
    """
    share = np.asarray(share, dtype=np.float64)
    inner = np.clip(share, 1e-300, 1 - 1e-16)
    bits = -share * np.log2(inner) - (1 - share) * np.log2(1 - inner)
    return float(bits) if bits.ndim == 0 else bits


def count_rates(ones: float, granted: float, agreed: float, cells: float) -> Rates:
    """Rates from counts: ones of the table, entries granted, ones among these, entries in all."""
    missing = (granted - agreed + LEAST_ERRORS) / (granted + 2 * LEAST_ERRORS)
    extra = (ones - agreed + LEAST_ERRORS) / (cells - granted + 2 * LEAST_ERRORS)
    return Rates(float(min(missing, MOST_MISSING)), float(min(extra, 0.5 * (1 - missing))))


def role_cost(size: Any, width: int) -> Any:
    """Bits to write down which of ``width`` permissions (or users) belong to a role."""
    return width * entropy(np.asarray(size) / width)


def membership_cost(users: Any, n: int) -> Any:
    """Bits that one more assignment of a role with so many of the n users costs: log2((1 - π) / π), at least 0."""
    share = np.clip((np.asarray(users, dtype=np.float64) + 0.5) / (n + 1), 0.0, 0.5)
    return np.log2((1 - share) / share)


def description_length(
    ones: float,
    granted: float,
    agreed: float,
    cells: float,
    sizes: np.ndarray,
    users: np.ndarray,
    shape: tuple[int, int],
) -> float:
    """L in bits."""
    n, d = shape
    errors = granted * entropy((granted - agreed) / granted) if granted else 0.0
    rest = cells - granted
    errors += rest * entropy((ones - agreed) / rest) if rest else 0.0
    return float(errors + np.sum(role_cost(sizes, d)) + np.sum(role_cost(users, n)))
