"""Entries far beyond the rest, brought nearer: where they end does not depend on how far out they are.

    |x| ≤ b: unchanged,   else   sign(x) b (1 + log(|x| / b)),   b = REACH × median |x|

If L is the best low-rank part of the nearer table, and at every entry that was moved S keeps the sign it had, then the
multipliers of these entries are price × sign there, and prove L to be best for the table itself: cost and bound both
grow by E = Σ price |moved|. The same holds for least absolute deviations of one row. So no tolerance has to be taken
relative to what one entry dominates. The logarithm keeps the order of sizes: equal ones would make ties.
"""

from __future__ import annotations

import numpy as np

SIZE_LIMIT = 32.0  # times the median of the sizes that are not zero: entries up to here stay
MOST_MOVED = 0.2  # share of the entries moved; a few may be inside on the way and end outside
ATTEMPTS = 5  # before all entries stay


def typical_size(sizes: np.ndarray) -> float:
    """The median of the sizes that are neither zero nor NaN; 0 if there are none."""
    some = sizes[sizes > 0]
    return float(np.median(some)) if some.size else 0.0


def typical_of_rows(X: np.ndarray) -> np.ndarray:
    """The same of every row."""
    sizes = np.sort(np.abs(X), axis=1)
    zeros = np.count_nonzero(sizes == 0, axis=1)
    return sizes[np.arange(len(X)), np.minimum((zeros + X.shape[1]) // 2, X.shape[1] - 1)]


def widened(bounds: np.ndarray, inside: np.ndarray, typical: np.ndarray | float, attempt: int) -> np.ndarray:
    """Bounds after entries of a ``typical`` size beyond them turned out to be inside: these stay, and such as they."""
    return np.where(inside, np.inf, np.maximum(bounds, SIZE_LIMIT * typical) if attempt < ATTEMPTS else np.inf)


def clip_far(X: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """X with the entries beyond ``bounds`` nearer; X itself if there are none."""
    sizes = np.abs(X)
    far = sizes > bounds
    if not far.any():
        return X
    limits, near = np.broadcast_to(bounds, X.shape)[far], X.copy()
    near[far] = np.copysign(limits * (1.0 + _log_ratio(sizes[far], limits)), X[far])
    return near


def _log_ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """log(above / below) of any two numbers; the same bits if both are multiplied by a power of two."""
    (high, far), (low, near) = np.frexp(above), np.frexp(below)
    return np.asarray(np.log(high / low) + (far - near) * np.log(2.0))


def moved_signs(X: np.ndarray, near: np.ndarray) -> np.ndarray | None:
    """The signs of the entries that were moved, 0 elsewhere; None if none was."""
    return None if near is X else np.where(near == X, 0.0, np.sign(X))


def not_outside(signs: np.ndarray | None, S: np.ndarray) -> np.ndarray:
    """The entries that were moved and at which S has not their sign: they must stay where they are."""
    return np.zeros(S.shape, dtype=bool) if signs is None else (signs != 0) & (S * signs <= 0)


def misjudged(signs: np.ndarray | None, S: np.ndarray) -> bool:
    """Whether so many of them are, on the way, that the nearer table is not worth solving."""
    if signs is None:
        return False
    return bool(np.count_nonzero(not_outside(signs, S)) > MOST_MOVED * np.count_nonzero(signs))
