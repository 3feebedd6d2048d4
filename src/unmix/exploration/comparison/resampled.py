"""How much two tables differ, group by group, beside how much two tables drawn from the old one do.

share     z = (p_new - p_old) / √(p (1 - p) (1/n_old + 1/n_new))
mean      z = (m_new - m_old) / (sd within · √(1/n_old + 1/n_new)), of each feature in each group
p of one difference = share of pairs of resampled tables in which the largest |z| of all is as large: corrected for
how many differences are looked at, whatever their relations and tails.                       (Westfall & Young 1993)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri, stdtrit

n_draws = 499
_tail = 0.995


class Rows(NamedTuple):
    """Features (n, d) with nan for gaps, the group of each row, and blocks of rows that depend on each other."""

    X: np.ndarray
    labels: np.ndarray
    blocks: np.ndarray | None = None

    def only(self, rows: np.ndarray) -> Rows:
        return Rows(self.X[rows], self.labels[rows], None if self.blocks is None else self.blocks[rows])

    @property
    def n_blocks(self) -> int:
        return len(self.labels) if self.blocks is None else len(np.unique(self.blocks))

    def drawn(self, size: int, rng: np.random.Generator) -> np.ndarray:
        """(draws, n) how often each row is in a table of about `size` rows: blocks of them are drawn, with return."""
        blocks = np.arange(len(self.labels)) if self.blocks is None else np.unique(self.blocks, return_inverse=True)[1]
        n = int(blocks.max()) + 1
        times = max(round(size * n / len(blocks)), 1)
        return rng.multinomial(times, np.full(n, 1 / n), n_draws)[:, blocks].astype(float)


class Moments(NamedTuple):
    """Rows (…, k) of each group; of each feature in it (…, k, d) values given, their sum and sum of squares."""

    rows: np.ndarray
    given: np.ndarray
    total: np.ndarray
    squares: np.ndarray


class Differences(NamedTuple):
    """z of shares (k,) and of means (k, d); p of each, corrected for all of them; p of the largest."""

    share: np.ndarray
    mean: np.ndarray
    share_p: np.ndarray
    mean_p: np.ndarray
    p: float


def differences(old: Rows, new: Rows, k: int, rng: np.random.Generator) -> Differences:
    """Of the new table from the old one; groups are those of one model for both."""
    middle = np.nan_to_num(np.nanmean(old.X, axis=0)) if old.X.shape[1] else np.zeros(0)
    old, new = old._replace(X=old.X - middle), new._replace(X=new.X - middle)  # so that squares do not cancel
    share, mean = _z(_moments(old, k, None), _moments(new, k, None))
    first, second = (old.drawn(len(side.labels), rng) for side in (old, new))
    draws = _z(_moments(old, k, first), _moments(old, k, second))
    largest = np.maximum(np.abs(draws[0]).max(axis=1), np.abs(draws[1]).reshape(n_draws, -1).max(axis=1, initial=0.0))
    largest *= _widened(min(old.n_blocks, new.n_blocks if new.blocks is not None else old.n_blocks))
    share_p, mean_p = (_p(z, largest) for z in (share, mean))
    return Differences(share, mean, share_p, mean_p, float(min(share_p.min(), mean_p.min(initial=1.0))))


def _widened(n_blocks: int) -> float:
    """Few blocks vary less among themselves than what they were drawn from: as Student's t goes beyond a normal."""
    degrees = max(n_blocks - 1, 1)
    return float(stdtrit(degrees, _tail) / ndtri(_tail) * np.sqrt(n_blocks / degrees))


def _p(z: np.ndarray, largest: np.ndarray) -> np.ndarray:
    """Share of draws whose largest difference is as large, the table itself counted among them."""
    ranked = np.sort(largest)
    return (1 + len(ranked) - np.searchsorted(ranked, np.abs(z) - 1e-12)) / (1 + len(ranked))


def _moments(rows: Rows, k: int, weights: np.ndarray | None) -> Moments:
    """Of the rows, or of tables in which each row stands as often as `weights` (draws, n) say."""
    member = (rows.labels[:, None] == np.arange(k)).astype(float)
    given = np.isfinite(rows.X)
    X = np.where(given, rows.X, 0.0)
    parts = [(member[:, :, None] * part[:, None, :]).reshape(len(X), -1) for part in (given, X, X**2)]
    if weights is None:
        sums = [part.sum(axis=0) for part in (member, *parts)]
    else:
        sums = [weights @ part for part in (member, *parts)]
    shape = (*sums[0].shape, rows.X.shape[1])
    return Moments(sums[0], *(total.reshape(shape) for total in sums[1:]))


def _z(old: Moments, new: Moments) -> tuple[np.ndarray, np.ndarray]:
    return _share_z(old, new), _mean_z(old, new)


def _share_z(old: Moments, new: Moments) -> np.ndarray:
    n_old, n_new = (part.rows.sum(axis=-1, keepdims=True) for part in (old, new))
    together = (old.rows + new.rows) / (n_old + n_new)
    spread = np.sqrt(together * (1 - together) * (1 / n_old + 1 / n_new))
    return _ratio(new.rows / n_new - old.rows / n_old, spread)


def _mean_z(old: Moments, new: Moments) -> np.ndarray:
    """Nothing where a group has fewer than two values on a side."""
    enough = (old.given > 1) & (new.given > 1)
    n_old, n_new = np.maximum(old.given, 1), np.maximum(new.given, 1)
    m_old, m_new = old.total / n_old, new.total / n_new
    within = np.maximum(old.squares - n_old * m_old**2, 0) + np.maximum(new.squares - n_new * m_new**2, 0)
    variance = within / np.maximum(n_old + n_new - 2, 1)
    return np.where(enough, _ratio(m_new - m_old, np.sqrt(variance * (1 / n_old + 1 / n_new))), 0.0)


def _ratio(difference: np.ndarray, error: np.ndarray) -> np.ndarray:
    """0 where nothing differs, large where something does that never varied."""
    floor = 1e-9 + 1e-9 * np.abs(difference)
    return np.where(np.abs(difference) <= 1e-12, 0.0, difference / np.maximum(error, floor))
