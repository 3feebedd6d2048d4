"""Components from rows that come by and by: sums of parabolas stand for all rows seen before."""

from __future__ import annotations

import numpy as np

from unmix.algorithms.factorization.alternate import one_pass
from unmix.algorithms.factorization.components import update_components
from unmix.algorithms.factorization.encode import encode_rows
from unmix.algorithms.factorization.normal_codes import NormalModel, Sums, expect, maximized, normal_model
from unmix.algorithms.factorization.problem import Problem, Statistics
from unmix.core.summation.tree import merge


def no_sums(components: np.ndarray) -> Statistics:
    K, D = components.shape
    return Statistics(0.0, 0.0, np.zeros((D, K * (K + 1) // 2)), np.zeros((K, D)))


def add_rows(problem: Problem, components: np.ndarray, seen: Statistics) -> tuple[np.ndarray, Statistics]:
    """Codes of the new rows by the present components, their sums added, and components better for all of them."""
    nothing = np.zeros((problem.X.shape[0], 0), problem.X.dtype)
    codes, _ = problem.X.step(encode_rows, problem.rows(nothing), problem.rules, components)
    _, found = one_pass(problem, codes, components, effort=0)
    total: Statistics = merge(found, seen)
    return update_components(problem, total, components, 1.0), total


def add_normal_rows(problem: Problem, components: np.ndarray, seen: Sums | None) -> tuple[NormalModel, Sums]:
    """The same where codes have a normal law: expectations of the new rows join those of the old ones."""
    model = normal_model(problem.rules, components)
    nothing = np.zeros((problem.X.shape[0], 0), problem.X.dtype)
    found: Sums = problem.X.reduce(expect, problem.rules, model, rows=problem.rows(nothing))
    total: Sums = found if seen is None else merge(found, seen)
    return maximized(total, model), total
