"""Dual decomposition: parts tied only by shared resources are solved apart, and prices on the resources bring balance.

    minimise Σ_i f_i(x_i)   subject to   Σ_i A_i x_i = b      (or ≤ b)

    x_i ← argmin f_i(x) + (A_iᵀ y)·x          each for itself
    y   ← y + step (Σ A_i x_i - b)            (kept ≥ 0 for ≤)

The prices climb the dual function d(y) = Σ min_i - y·b, a lower bound on the optimum at every iteration. Where the f_i
are not strictly convex the x_i jump between corners; their averages, weighted by the steps, then converge.
Everett, Operations Research 11, 1963; Shor 1985; Polyak 1969; Boyd et al. 2011, chapter 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from unmix.core.iteration.loop import iterate
from unmix.optimize.arguments import finite, positive
from unmix.optimize.duality.price_step import RULES, PriceStep, next_step
from unmix.optimize.duality.recovery import Window, add_to, mean_of

TINY = float(np.finfo(float).tiny)
ROUNDING = 8 * float(np.finfo(float).eps)  # of values and bounds
Part = Callable[[np.ndarray], tuple[np.ndarray, float]]


class DualSolution(NamedTuple):
    """The answer of `dual_decomposition`.

    Attributes
    ----------
    x : list of arrays
        The recovered parts: the last answers, or their averages where those are nearer to balance and to the bound.
    prices : array
        The best multipliers y.
    value : float
        Σ f_i at ``x`` (for averages an upper bound on it, by convexity).
    bound : float
        d(prices), which no feasible answer is below.
    residual : float
        How far ``x`` is from balance.
    converged : bool
    n_iter : int
    trace : list of dict
    """

    x: list[np.ndarray]
    prices: np.ndarray
    value: float
    bound: float
    residual: float
    converged: bool
    n_iter: int
    trace: list[dict[str, float]]


class _State(NamedTuple):
    y: np.ndarray
    best: np.ndarray
    step: PriceStep
    window: Window
    x: np.ndarray
    value: float
    residual: float
    iteration: int
    done: bool


def dual_decomposition(
    parts: Sequence[Part],
    matrices: Sequence[Any],
    b: Any,
    *,
    inequality: bool = False,
    step: str = "diminishing",
    size: float | None = None,
    optimum: float | None = None,
    prices: Any = None,
    eps_abs: float = 0.0,
    eps_rel: float = 1e-8,
    max_iter: int = 10_000,
) -> DualSolution:
    """Minimise Σ f_i(x_i) subject to Σ A_i x_i = b, each part solved for itself at given prices.

    Parameters
    ----------
    parts : sequence of callables price -> (x, f(x))
        The minimiser of ``f_i(x) + price·x`` and the value of f_i there.
    matrices : sequence of (p, d_i) arrays
        A_i, one a part.
    b : (p,) array
    inequality : bool
        Σ A_i x_i ≤ b instead of =.
    step : {"diminishing", "polyak", "constant"}
        Length of the steps: ``size / √k``, with which averages converge for every convex problem;
        ``(aim - d) / ‖residual‖²``, quickest to the prices and the bound, but its averages may miss the parts where
        those are not strictly convex; or ``size``, quickest for strongly convex parts (up to ``2 m / ‖[A_1 …]‖²`` for
        modulus m).
    size : float or None
        See `step`. For "polyak" it is the first guess of how far the dual is below the optimum. None takes the longest
        first step, a power of two, after which the imbalance is still more than half as large, or what it gains.
    optimum : float or None
        The height "polyak" aims at, if known; otherwise it is guessed and corrected.
    prices : (p,) array or None
        Where they start; None is zero.
    eps_abs, eps_rel : float
        It stops when both ``residual ≤ √p eps_abs + eps_rel max(‖A_i x_i‖, ‖b‖)`` and
        ``|value - bound| ≤ eps_abs + eps_rel max(|y·A_i x_i|, |y·b|)``, what changes hands at the best prices.
    max_iter : int

    Examples
    --------
    Two suppliers with costs x²/2 and x² share a demand of 3:

    >>> from unmix.optimize import dual_decomposition
    >>> parts = [lambda p: (-p, float(p @ p) / 2), lambda p: (-p / 2, float(p @ p) / 4)]
    >>> found = dual_decomposition(parts, [[[1.0]], [[1.0]]], [3.0], step="constant", size=0.5)
    >>> [x.round(6).tolist() for x in found.x], found.prices.round(6)
    ([[2.0], [1.0]], array([-2.]))
    """
    A, right, y = _checked(parts, matrices, b, prices, inequality)
    if step not in RULES:
        raise ValueError(f"step={step!r} is not known; give one of {', '.join(map(repr, RULES))}")
    problem = _Problem(parts, A, right, inequality, eps_abs, eps_rel)
    size = problem.first_size(y, gain=step == "polyak") if size is None else positive(size, "size")
    trace: list[dict[str, float]] = []

    def advance(state: _State) -> tuple[_State, dict[str, float]]:
        x, cost = problem.answers(state.y)
        slope = problem.joined @ x - right
        height = cost + float(state.y @ slope)
        direction = problem.direction(state.y, slope)
        rule = next_step(state.step, step, height, float(direction @ direction), size, optimum)
        window = add_to(state.window, x, cost, rule.length)
        best = state.y if rule.best == height else state.best
        candidates = [(x, cost), mean_of(window)]
        x, value = min(candidates, key=lambda found: problem.violation(found[0], found[1], rule.best, best))
        worst, residual = problem.violation(x, value, rule.best, best)
        y = state.y + rule.length * direction
        y = np.maximum(y, 0.0) if inequality else y
        measured = {"bound": rule.best, "value": value, "residual": residual, "step": rule.length}
        trace.append(measured)
        return _State(y, best, rule, window, x, value, residual, state.iteration + 1, worst <= 1), measured

    empty = Window.empty(problem.joined.shape[1])
    start = _State(y, y, PriceStep.start(size), empty, np.zeros(0), np.inf, np.inf, 0, False)
    end = iterate(advance, start, max_iter=int(positive(max_iter, "max_iter")), name="dual decomposition")
    pieces = problem.split(end.x)
    return DualSolution(pieces, end.best, end.value, end.step.best, end.residual, end.done, end.iteration, trace)


class _Problem:
    """The parts with their resources, and how near an answer is to balance and to the bound."""

    def __init__(
        self,
        parts: Sequence[Part],
        matrices: list[np.ndarray],
        right: np.ndarray,
        inequality: bool,
        eps_abs: float,
        eps_rel: float,
    ) -> None:
        self.parts, self.matrices, self.right, self.inequality = parts, matrices, right, inequality
        self.eps_abs, self.eps_rel = eps_abs, eps_rel
        self.joined = np.hstack(matrices)
        self._splits = np.cumsum([matrix.shape[1] for matrix in matrices])[:-1]

    def split(self, x: np.ndarray) -> list[np.ndarray]:
        return np.split(x, self._splits)

    def answers(self, y: np.ndarray) -> tuple[np.ndarray, float]:
        """Every part's answer to the prices, joined, and Σ f_i."""
        found = [part(matrix.T @ y) for part, matrix in zip(self.parts, self.matrices)]
        x = np.concatenate([np.asarray(piece, dtype=np.float64).ravel() for piece, _ in found])
        return x, float(sum(value for _, value in found))

    def direction(self, y: np.ndarray, slope: np.ndarray) -> np.ndarray:
        """Where prices may go: those of inequalities not below 0."""
        return np.where((y <= 0) & (slope < 0), 0.0, slope) if self.inequality else slope

    def first_size(self, y: np.ndarray, gain: bool) -> float:
        """A step length in the units of the problem, or what such a step gains.

        Along the first direction the slope never rises, so where it has halved does not depend on where one looks.
        """
        first = self.direction(y, self.joined @ self.answers(y)[0] - self.right)
        steepness = float(first @ first)
        if steepness == 0:
            return 1.0  # prices stay where they are

        def halved(exponent: int) -> bool:
            x, _ = self.answers(y + np.ldexp(1.0, exponent) * first)
            return not float(first @ (self.joined @ x - self.right)) > steepness / 2

        length = float(np.ldexp(1.0, _last_false(halved)))
        return length * steepness if gain else length

    def violation(self, x: np.ndarray, value: float, bound: float, y: np.ndarray) -> tuple[float, float]:
        """How many times the tolerances x is off, in balance or in value, and the residual."""
        shares = np.array([matrix @ piece for matrix, piece in zip(self.matrices, self.split(x))])
        gap = shares.sum(axis=0) - self.right
        residual = float(np.linalg.norm(np.maximum(gap, 0.0) if self.inequality else gap))
        sides = np.vstack([shares, self.right])
        limit = np.sqrt(len(self.right)) * self.eps_abs + self.eps_rel * float(np.linalg.norm(sides, axis=1).max())
        gap_limit = self.eps_abs + self.eps_rel * float((np.abs(sides) @ np.abs(y)).max())
        gap_limit += ROUNDING * (abs(value) + abs(bound))
        return max(residual / (limit or TINY), abs(value - bound) / (gap_limit or TINY)), residual


def _last_false(test: Callable[[int], bool], farthest: int = 500) -> int:
    """The last exponent at which a test that once true stays true is false, looked for from 0 by doubling."""
    if test(0):
        high, reach = 0, 1
        while test(high - reach) and reach < farthest:
            high, reach = high - reach, 2 * reach
        low = high - reach
    else:
        low, reach = 0, 1
        while not test(low + reach) and reach < farthest:
            low, reach = low + reach, 2 * reach
        high = low + reach
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if test(middle) else (middle, high)
    return low


def _checked(
    parts: Sequence[Part], matrices: Sequence[Any], b: Any, prices: Any, inequality: bool
) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    right = finite(b, "b", 1)
    A = [finite(matrix, "matrices", 2) for matrix in matrices]
    if not parts or len(A) != len(parts):
        raise ValueError(f"got {len(parts)} parts and {len(A)} matrices; give one matrix a part, and at least one")
    wrong = [len(matrix) for matrix in A if len(matrix) != len(right)]
    if wrong:
        raise ValueError(f"a matrix has {wrong[0]} rows but b has {len(right)} entries; they must be as many")
    y = np.zeros(len(right)) if prices is None else finite(prices, "prices", 1)
    if len(y) != len(right) or (inequality and (y < 0).any()):
        raise ValueError(f"prices must be {len(right)} numbers, one an entry of b, and not negative for inequalities")
    return A, right, y
