"""What tables without relations look like: one side of every pair is put in another order that rows allow.

Rows that do not depend are shuffled. Units are exchanged as wholes, whose rows keep their order. A series is a sum of
cosines Σ_k a_k cos(π k (t + ½) / n), and every a_k gets a sign by chance: two walks that have nothing to do with each
other look related for the few slow waves they are made of, and this is what they are compared with. (Waves of other
phases would not do: the slowest cosine goes one way throughout, which no other phase of it does.) Levels are turned
along the order, each column by a way of its own.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from unmix.exploration.associations.coding import Coded
from unmix.exploration.structure.row_order import RowOrder

FEWEST_INDEPENDENT = 8  # units or independent rows: with fewer, chance does almost anything

Null = Callable[[Coded, np.random.Generator], np.ndarray]


def null_of(order: RowOrder | None) -> Null:
    """Draws levels (n, c) of columns without relation to the rows; these stand in the order given."""
    if order is None:
        return shuffled
    return turned if order.units is None else Exchanged(order.units)


def can_tell(order: RowOrder | None) -> bool:
    return order is None or order.dependence.n_effective >= FEWEST_INDEPENDENT


def shuffled(coded: Coded, rng: np.random.Generator) -> np.ndarray:
    return np.asarray(coded.codes[rng.permutation(len(coded.codes))])


def turned(coded: Coded, rng: np.random.Generator) -> np.ndarray:
    n = len(coded.codes)
    drawn = np.empty_like(coded.codes)
    for j, (codes, plain) in enumerate(zip(coded.codes.T, coded.plain.T)):
        given = codes >= 0
        if coded.levels[j] is not None:
            drawn[:, j] = np.roll(codes, rng.integers(n // 10, n - n // 10 + 1))
            continue
        wave = other_signs(np.where(given, plain, 0.0), rng)
        drawn[:, j] = -1
        drawn[np.flatnonzero(given)[np.argsort(wave[given], kind="stable")], j] = np.sort(codes[given])
    return drawn


def other_signs(series: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The cosines of the series, through the waves of itself there and back again, with signs by chance."""
    waves = np.fft.rfft(np.append(series, series[::-1]))
    return np.asarray(np.fft.irfft(waves * rng.choice([-1.0, 1.0], len(waves)), 2 * len(series))[: len(series)])


class Exchanged:
    """Every unit has the rows of another; of a longer or shorter one those at the same share of its length."""

    def __init__(self, units: np.ndarray) -> None:
        self.units = units
        self.size = np.bincount(units)
        self.start = np.cumsum(self.size) - self.size
        self.place = np.arange(len(units)) - self.start[units]

    def __call__(self, coded: Coded, rng: np.random.Generator) -> np.ndarray:
        other = rng.permutation(len(self.size))[self.units]
        rows = self.start[other] + self.place * self.size[other] // self.size[self.units]
        return np.asarray(coded.codes[rows])
