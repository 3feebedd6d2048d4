"""Online ICA: units that turn towards non-Gaussian directions with every row, guided by running estimates.

u whitened, y = b·u, |b| = 1 after every step, ν Gaussian, G one of the contrasts (contrast.py), g = G':

    kurtosis     Δb = ε sgn(γ) u y³          Δγ = η (y⁴ - 3 - γ)
    negentropy   Δb = ε γ u g(y)             Δγ = η (G(y) - E[G(ν)] - γ)

γ₀ = 0. Several units are kept orthonormal, which leaves of every step the part that turns them against each other.
Without a given ε the pull is sgn(γ) u g(y), each angle is divided by its running curvature |E[g(y) y - g'(y)]|, and the
steps fall as the shares of the rows in all that was seen: Newton's method in the mean.
Hyvärinen & Oja, Independent component analysis by general nonlinear Hebbian-like learning rules, Signal Processing 64,
1998.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from unmix.algorithms.independent.contrast import CONTRASTS
from unmix.algorithms.independent.whitening import Whitening
from unmix.algorithms.rows.presentation import ShownRows
from unmix.core.iteration.loop import iterate

RULES = ("kurtosis", "negentropy")
UNIT = 16.0  # rows that a given ε is meant for
HALVED = 500 * UNIT  # rows after which it is halved
PRIOR_ROWS = 256.0  # rows that the first steps count as seen, where ε is not given
GAIN = 3.0  # by how much such a step is larger than the share of its rows
PRIOR_ROWS_PER_SOURCE = 32.0  # the same of each of many sources
SEARCH_DIVISOR = 16.0  # k³ / 16 rows do not count as seen: among many sources none is found before others are
LEAST_BATCH = 16
LEAST_CURVATURE = {"logcosh": 0.05, "exp": 0.05, "cube": 0.5}
CHUNK = 4096  # a multiple of every batch size that divides it; others make a short batch at its end


class Rule(NamedTuple):
    """``rate`` is ε, None for steps by curvature; ``memory`` is η."""

    name: str
    rate: float | None
    memory: float
    batch_size: int | None
    contrast: str = "logcosh"
    a: float = 1.0

    @property
    def function(self) -> str:
        return "cube" if self.name == "kurtosis" else self.contrast

    def rows(self, k: int) -> int:
        """Of a batch; as many as there are sources, so that k³ operations a batch are k² a row."""
        return max(LEAST_BATCH, k) if self.batch_size is None else self.batch_size

    def steps(self, masses: np.ndarray, seen: np.ndarray, k: int) -> np.ndarray:
        """By rows, so that small batches do in many steps what large ones do in few."""
        if self.rate is None:
            counted = np.maximum(seen - k**3 / SEARCH_DIVISOR, 0.0) + max(PRIOR_ROWS, PRIOR_ROWS_PER_SOURCE * k)
            return np.minimum(GAIN * masses / (counted + masses), 1.0)
        return self.rate * np.minimum(masses / UNIT, 16.0) * HALVED / (HALVED + seen)

    def memories(self, weights: np.ndarray, seen: float) -> np.ndarray:
        """The share of each row in γ: η, and more while few rows were seen; a row of weight w counts as w rows."""
        long = np.where(weights == 1, self.memory, 1 - (1 - self.memory) ** weights)
        if self.rate is not None:
            return long
        before = seen + np.cumsum(weights) - weights
        return np.maximum(long, np.minimum(2 * weights / (before + 2 * weights), 1.0))


class State(NamedTuple):
    """``running`` (2, k) is γ and the curvature of every unit; ``change`` how far the last epoch turned them."""

    iteration: int
    done: bool
    matrix: np.ndarray  # the units
    running: np.ndarray
    weight: float
    batches: int
    change: float

    @property
    def fixed_shapes(self) -> bool:
        """In a checkpoint: kernels trust the number of units."""
        return True


@cache
def gaussian_means(contrast: str, a: float) -> tuple[float, float]:
    """E[G(ν)] and E[g'(ν)], by quadrature where there is no closed form."""
    if contrast == "cube":
        return 0.75, 3.0
    if contrast == "exp":
        return -float(np.sqrt(0.5)), float(np.sqrt(0.125))
    points, weights = np.polynomial.hermite_e.hermegauss(200)
    sizes = np.abs(a * points)
    values = (sizes + np.log1p(np.exp(-2 * sizes)) - np.log(2)) / a
    slopes = a * (1 - np.tanh(a * points) ** 2)
    return float(weights @ values / weights.sum()), float(weights @ slopes / weights.sum())


def begin(start: np.ndarray) -> State:
    return State(0, False, start, np.zeros((2, len(start))), 0.0, 0, np.inf)


def online_pass(state: State, rows: np.ndarray, weights: np.ndarray | None, rule: Rule) -> State:
    """Show whitened rows once, in their order."""
    from unmix.algorithms.independent.online_kernel import KURTOSIS, NEGENTROPY, SCALED, learn_rows

    w = np.ones(len(rows)) if weights is None else np.asarray(weights, np.float64)
    units, running = state.matrix.copy(), state.running.copy()
    k, size = len(units), rule.rows(len(units))
    masses = np.add.reduceat(w, np.arange(0, len(rows), size))
    steps = rule.steps(masses, state.weight + np.cumsum(masses) - masses, k)
    rows = np.ascontiguousarray(rows, dtype=np.float64)
    pull = SCALED if rule.rate is None else KURTOSIS if rule.name == "kurtosis" else NEGENTROPY
    name = rule.function
    gaussian, linear = gaussian_means(name, rule.a)
    shares = rule.memories(w, state.weight)
    least = LEAST_CURVATURE[name]
    which = CONTRASTS.index(name)
    batch = min(size, len(rows))
    room = np.zeros((batch, k)), np.zeros((k, batch)), *np.empty((3, k, k))
    learn_rows(rows, w, units, running, which, rule.a, gaussian, linear, pull, least, steps, shares, size, *room)
    weight = state.weight + float(masses.sum())
    return state._replace(matrix=units, running=running, weight=weight, batches=state.batches + len(masses))


def learn_epochs(shown: ShownRows, frame: Whitening, start: np.ndarray, rule: Rule, n_epochs: int) -> State:
    """Show all rows ``n_epochs`` times, in an order drawn anew each time."""

    def advance(state: State) -> tuple[State, dict[str, float]]:
        before, m = state.matrix, shown.showings
        for _, rows in shown.in_chunks(state.iteration * m, m, 1.0, CHUNK):
            state = online_pass(state, (rows - frame.mean) @ frame.matrix.T, None, rule)
        change = float(np.max(1 - np.abs(np.sum(before * state.matrix, axis=1))))
        return state._replace(iteration=state.iteration + 1, change=change), {"change": change}

    return iterate(advance, begin(start), max_iter=n_epochs, name="epoch")
