"""How much of a command is done, and how long the rest may take, from the shares that its stages usually have.

Within a stage of share w that is expected to take T, after t: done + w (1 - exp(-t / T)), which never reaches the next
stage before it begins and never goes back. T follows from how long the stages before it took.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping

# Measured on tables of 344, 20,000 and 150,000 rows: the mean of their shares of the time.
SHARES: dict[str, dict[str, float]] = {
    "explore": {
        "reading the table": 0.01,
        "looking at the columns": 0.05,
        "computing principal components": 0.03,
        "counting clusters": 0.45,
        "asking whether it hangs on one column": 0.09,
        "fitting the clusters to all rows": 0.01,
        "giving every row its cluster": 0.02,
        "comparing columns": 0.03,
        "counting all rows": 0.01,
        "describing clusters": 0.02,
        "measuring kinds of structure": 0.25,
        "writing the report": 0.03,
    }
}
_soon = 2.0  # seconds before which nobody asks how long it takes


class Stages:
    """`begin` a stage by its words; one that is not known has no share of its own."""

    def __init__(self, shares: Mapping[str, float], clock: Callable[[], float] = time.monotonic) -> None:
        self.clock, self.order, self.shares = clock, list(shares), list(shares.values())
        self.start = self.begun = clock()
        self.words, self.done, self.share, self.expected = "starting", 0.0, 0.0, 0.0

    def begin(self, words: str) -> str:
        """The next stage, and how it reads."""
        now = self.clock()
        reached = self.fraction()
        self.share = 0.0
        if words in self.order:
            place = self.order.index(words)
            reached = max(reached, sum(self.shares[:place]))
            self.share = max(sum(self.shares[: place + 1]) - reached, 0.0)
        self.words, self.begun, self.done = words, now, reached
        self.expected = (now - self.start) * self.share / reached if reached > 0 else 0.0
        return self.now()

    def fraction(self) -> float:
        """Of the whole, between 0 and 1, never less than before."""
        if self.expected <= 0:
            return self.done
        return self.done + self.share * -math.expm1(-(self.clock() - self.begun) / self.expected)

    def left(self) -> float | None:
        """Seconds, where enough is done to tell."""
        fraction, passed = self.fraction(), self.clock() - self.start
        return passed * (1 - fraction) / fraction if fraction > 0.05 and passed >= _soon else None

    def now(self) -> str:
        """As "counting clusters, 34 %, about 5 s left"."""
        if not self.order:
            return self.words
        left = self.left()
        return f"{self.words}, {100 * self.fraction():.0f} %" + ("" if left is None else f", about {_time(left)} left")


def _time(seconds: float) -> str:
    return f"{max(seconds, 1):.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
