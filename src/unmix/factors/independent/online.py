"""Online ICA: units that turn towards non-Gaussian directions with every row, guided by running estimates.

u whitened, y = b·u, |b| = 1 after every step:

    kurtosis     Δb = ε sgn(γ) u y³          Δγ = η (y⁴ - 3 - γ)
    negentropy   Δb = ε γ u tanh(y)          Δγ = η (log cosh y - E[log cosh ν] - γ),   ν Gaussian

γ₀ = 0. Several units are kept orthonormal, which leaves of every step the part that turns them against each other.
Hyvärinen & Oja, Independent component analysis by general nonlinear Hebbian-like learning rules, Signal Processing 64,
1998.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from unmix.core.loop import iterate
from unmix.factors.independent.whitening import Whitening
from unmix.factors.presentation import Shown, in_chunks, presentation

RULES = ("kurtosis", "negentropy")
RATES = {"kurtosis": 0.01, "negentropy": 3.0}  # the running γ of the second is small
CHUNK = 4096  # a multiple of every batch size that divides it; others make a short batch at its end


class Rule(NamedTuple):
    """``rate`` ε falls as tau / (tau + t) with the batches t; ``memory`` is η."""

    name: str
    rate: float
    memory: float
    batch_size: int
    tau: float = 500.0


class State(NamedTuple):
    """``running`` is γ of every unit; ``change`` how far the last epoch turned them."""

    iteration: int
    done: bool
    units: np.ndarray
    running: np.ndarray
    batches: int
    change: float


def learn(state: State, rows: np.ndarray, weights: np.ndarray | None, rule: Rule) -> State:
    """Show whitened rows once, in their order."""
    from unmix.factors.independent.online_kernel import learn_rows

    batches = -(-len(rows) // rule.batch_size)
    times = state.batches + np.arange(batches)
    rates = rule.rate * rule.tau / (rule.tau + times)
    units, running = state.units.copy(), state.running.copy()
    shares = np.ones(len(rows)) if weights is None else weights
    rows = np.ascontiguousarray(rows, dtype=np.float64)
    learn_rows(rows, shares, units, running, RULES.index(rule.name), rates, memories(rule, shares), rule.batch_size)
    return state._replace(units=units, running=running, batches=state.batches + batches)


def memories(rule: Rule, weights: np.ndarray) -> np.ndarray:
    """The share of each row in γ: of weight w, that of w rows one after the other, 1 - (1 - η)^w."""
    return np.where(weights == 1, rule.memory, 1 - (1 - rule.memory) ** weights)


def learn_epochs(shown: Shown, frame: Whitening, start: np.ndarray, rule: Rule, n_epochs: int, seed: int) -> State:
    """Show all rows ``n_epochs`` times, in an order drawn anew each time."""

    def advance(state: State) -> tuple[State, dict[str, float]]:
        before = state.units
        for _, rows in in_chunks(shown, presentation(shown, seed, state.iteration), 1.0, CHUNK):
            state = learn(state, (rows - frame.mean) @ frame.matrix.T, None, rule)
        change = float(np.max(1 - np.abs(np.sum(before * state.units, axis=1))))
        return state._replace(iteration=state.iteration + 1, change=change), {"change": change}

    k = len(start)
    return iterate(advance, State(0, False, start, np.zeros(k), 0, np.inf), max_iter=n_epochs, name="epoch")
