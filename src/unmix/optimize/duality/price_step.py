"""How far prices move: by a fixed or a falling length, or as far as Polyak's rule says.

    length = (aim - d(y)) / ‖slope‖²

aims at the optimum of the dual. Where it is not known the aim is the best value so far plus a guess, which is halved
whenever some iterations brought no new best (Brännlund 1993; Bertsekas, Convex Optimization Algorithms, 2015, 3.2).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

RULES = ("polyak", "diminishing", "constant")
PATIENCE = 10  # iterations without a new best before the guess is halved


class PriceStep(NamedTuple):
    """The length of the last step, the best dual value, and the guess of what is still missing."""

    length: float
    best: float
    guess: float
    stalled: int
    turn: int

    @staticmethod
    def start(guess: float) -> PriceStep:
        return PriceStep(0.0, -np.inf, guess, 0, 0)


def next_step(
    now: PriceStep, rule: str, height: float, squared_slope: float, size: float, optimum: float | None
) -> PriceStep:
    """The next length, at dual value ``height``."""
    turn, risen = now.turn + 1, height > now.best
    best = max(now.best, height)
    if rule != "polyak":
        return PriceStep(size if rule == "constant" else size / np.sqrt(turn), best, now.guess, 0, turn)
    enough = height >= now.best + now.guess / 2
    stalled = 0 if enough else now.stalled + 1
    guess = now.guess * (2.0 if enough and risen and turn > 1 else 1.0)
    if stalled >= PATIENCE:
        guess, stalled = guess / 2, 0
    aim = best + guess if optimum is None else max(optimum, height)
    length = (aim - height) / squared_slope if squared_slope > 0 else 0.0
    return PriceStep(length, best, guess, stalled, turn)
