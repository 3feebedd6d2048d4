"""Answers whose optimality was seen: residuals of a splitting method are small before its answer is good.

After each run the answer, solved exactly on its support where that is wanted, is put into the optimality conditions.
Where they do not hold the run goes on with tolerances a hundredth as large.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, Protocol

from unmix.optimize.solution import Solution

EPS = 1e-8  # the tolerance of `admm`, absolute and relative, where none is given
LEAST_TOLERANCE = 1e-14  # tolerances below this are those of rounding
CONDITION_TOLERANCES = 100.0  # conditions hold to so many tolerances, and
LEAST_ROOM = 1e-6  # need not hold better than this


class Problem(Protocol):
    def run(self, settings: dict[str, Any]) -> Solution:
        """By the splitting method, from ``settings["z"]`` where that is given."""

    def exact(self, found: Solution) -> Iterator[Solution]:
        """Answers solved for exactly, each tried only if those before are not optimal."""

    def optimal(self, found: Solution, room: float) -> bool:
        """Whether the conditions hold to a share of ``room``."""


def certified(problem: Problem, settings: dict[str, Any], polish: bool) -> Solution:
    """The answer of the problem, converged if and only if it is optimal."""
    settings = {"eps_abs": EPS, "eps_rel": EPS, "max_iter": 10_000, **settings}
    room = max(LEAST_ROOM, CONDITION_TOLERANCES * max(settings["eps_abs"], settings["eps_rel"]))
    n_iter = 0
    trace: list[dict[str, float]] = []
    while True:
        found = problem.run(settings)
        n_iter, trace = n_iter + found.n_iter, trace + found.trace
        for candidate in chain(problem.exact(found) if polish else (), (found,)):
            if problem.optimal(candidate, room):
                return candidate._replace(converged=True, n_iter=n_iter, trace=trace)
        left = settings["max_iter"] - found.n_iter
        if not found.converged or left < 1 or settings["eps_rel"] < LEAST_TOLERANCE:
            return found._replace(converged=False, n_iter=n_iter, trace=trace)
        finer = {name: settings[name] / 100 for name in ("eps_abs", "eps_rel")}
        settings = {**settings, **finer, "max_iter": left, "z": found.z, "dual": found.dual, "rho": found.rho}
