"""Compiled moves of two samples at once, by those of each."""

from typing import Any

import numpy as np

from unmix.costs import moves
from unmix.inference.agreement.joint import State


def move_costs(state: Any, i: int, share: Any, out: Any) -> None:
    other = np.empty(out.size)
    moves.move_costs(state.first, i, share, out)
    moves.move_costs(state.second, i, share, other)
    for c in range(out.size):
        out[c] += other[c]


def shift(state: Any, i: int, c: int, amount: float) -> None:
    moves.shift(state.first, i, c, amount)
    moves.shift(state.second, i, c, amount)


moves.register(State, move_costs, shift)
