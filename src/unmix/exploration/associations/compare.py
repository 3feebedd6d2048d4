"""Every pair of columns beside what chance gives: bits beyond it, their standard error, and a p-value for all pairs.

t = (s - mean of s over null tables) / sd,   s = cube root of G / freedom (nearly normal: Wilson & Hilferty 1931)

p = chance that the largest t of any pair of a null table exceeds that of the pair       (Westfall & Young 1993; Gumbel)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.exploration.associations.coding import Coded
from unmix.exploration.associations.null import Null
from unmix.exploration.associations.tables import Pairs, indicators, pairs_of
from unmix.validation.evidence.references.gumbel import Gumbel

LEVEL = 0.05
MOST_DRAWS, FEWEST_DRAWS = 60, 30
CELLS = 60_000  # of all tables together, from which on fewer tables are drawn


class Compared(NamedTuple):
    """(a, b) each: bits beyond chance, their spread in null tables, p-values for all pairs together; rows of a pair."""

    bits: np.ndarray
    spread: np.ndarray
    p_value: np.ndarray
    rows: np.ndarray

    def beyond_chance(self) -> list[tuple[int, int]]:
        """Pairs, those that tell most first."""
        found = [(int(i), int(j)) for i, j in np.argwhere(self.p_value < LEVEL)]
        return sorted(found, key=lambda pair: -self.bits[pair])


def compare(left: Coded, right: Coded | None, null: Null, rng: np.random.Generator, asked: np.ndarray) -> Compared:
    """`right` None: pairs of the columns of `left`; `asked` (a, b) are the pairs that count, of two the upper ones."""
    other = left if right is None else right
    sizes = left.sizes, other.sizes
    hits = indicators(other.codes, sizes[1])
    seen = pairs_of(indicators(left.codes, sizes[0]), hits, sizes)
    drawn: list[np.ndarray] = []
    for _ in range(draws(sizes)):
        pairs = pairs_of(indicators(null(left, rng), sizes[0]), hits, sizes)
        drawn += [pairs.G, pairs.G.T] if right is None else [pairs.G]
    return _judged(seen, np.stack(drawn), asked & (seen.freedom > 0))


def draws(sizes: tuple[np.ndarray, np.ndarray]) -> int:
    cells = int(sizes[0].sum()) * int(sizes[1].sum())
    return int(np.clip(MOST_DRAWS * CELLS // max(cells, 1), FEWEST_DRAWS, MOST_DRAWS))


def _judged(seen: Pairs, drawn: np.ndarray, asked: np.ndarray) -> Compared:
    mean, spread = drawn.mean(axis=0), drawn.std(axis=0, ddof=1)
    nats = 2 * np.log(2) * np.maximum(seen.rows, 1)
    bits = np.where(asked, (seen.G - mean) / nats, 0.0)
    p = np.ones(asked.shape)
    if asked.any():
        law, t = _standardised(np.cbrt(seen.G[asked]), np.cbrt(drawn[:, asked]))
        p[asked] = [law.tail(value) for value in t]
    return Compared(bits, spread / nats, p, seen.rows)


def _standardised(seen: np.ndarray, drawn: np.ndarray) -> tuple[Gumbel, np.ndarray]:
    """The law of the largest t of a null table, and t of every pair.

    Mean and spread of one half of the null tables measure the other: a table that is asked about took no part in them.
    """
    halves = drawn[: len(drawn) // 2], drawn[len(drawn) // 2 :]
    scales = [(half.mean(axis=0), np.maximum(half.std(axis=0, ddof=1), 1e-9)) for half in halves]
    of_chance = [(half - middle) / width for half, (middle, width) in zip(halves, scales[::-1])]
    t = np.mean([(seen - middle) / width for middle, width in scales], axis=0)
    return _largest(np.concatenate(of_chance)), t


def _largest(t: np.ndarray) -> Gumbel:
    """The law of the largest of every null table, by moments; of few pairs it may well be below 0."""
    largest = t.max(axis=1)
    scale = max(float(largest.std(ddof=1)) * np.sqrt(6) / np.pi, 1e-9)
    return Gumbel(float(largest.mean()) - np.euler_gamma * scale, scale)
