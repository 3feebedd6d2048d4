"""Codes under a constraint that binds all rows together: orthonormal columns, smooth down the rows, values known.

One pass gives every row's quadratic problem; the proximal steps are then made on the matrix of all codes, in memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.factorization.design import read_cells
from unmix.algorithms.factorization.full_pass import code_problem
from unmix.algorithms.factorization.general_pass import Seen, chunks, place
from unmix.algorithms.factorization.problem import Problem, Rules, counted, split_components, unpack_rows
from unmix.algorithms.factorization.quadratic import product
from unmix.algorithms.principal.latent_gaussian import pairs, unpack
from unmix.constraints.base import Constraint

STEPS = 20


def improve_together(problem: Problem, codes: Any, components: np.ndarray) -> np.ndarray:
    """Codes of all rows after some proximal steps, never worse under the parabolas they came from."""
    rules, now = problem.rules, np.asarray(codes)
    k = now.shape[1]
    if k == 0:
        return now
    parts = problem.X.map(row_problems, rules, components, rows=problem.rows(now)).astype(np.float64)
    weights = np.ones(len(now)) if problem.weights is None else problem.weights
    cross = parts[:, :k] * weights[:, None]
    if rules.full:
        gram = shared_gram(rules, components)
        gram = gram if problem.weights is None else gram * weights[:, None, None]
    else:
        gram = unpack(parts[:, k:] * weights[:, None], k)
    return stepped_together(rules.codes, gram, cross, now.astype(np.float64)).astype(now.dtype)


def stepped_together(constraint: Constraint, gram: np.ndarray, cross: np.ndarray, V: np.ndarray) -> np.ndarray:
    top = float(np.abs(gram).sum(axis=2).max()) or 1.0
    best, least = V, total_cost(constraint, gram, cross, V)
    for _ in range(STEPS):
        V = constraint.prox(V - (product(gram, V) - cross) / top, 1 / top)
        value = total_cost(constraint, gram, cross, V)
        if value <= least:
            best, least = V, value
    return best


def total_cost(constraint: Constraint, gram: np.ndarray, cross: np.ndarray, V: np.ndarray) -> float:
    return float(np.einsum("ij,ij->", 0.5 * product(gram, V) - cross, V)) + float(constraint.penalty(V).sum())


def shared_gram(rules: Rules, components: np.ndarray) -> np.ndarray:
    U, _ = split_components(components, rules.intercept)
    double = U.astype(np.float64)
    return ((double * rules.design.factors) @ double.T)[None]


def row_problems(block: Any, rows: Any, rules: Rules, components: np.ndarray) -> np.ndarray:
    """Of every row the linear term, and, where it has one of its own, its matrix, each pair of entries once."""
    given = unpack_rows(rows, rules)
    block = counted(block, given.weights)
    if rules.full:
        targets = rules.design.targets(block)
        return code_problem(targets, rules, components)[1]
    U, b = split_components(components, rules.intercept)
    packed, k = pairs(U.T.astype(np.float64)), len(U)
    out = np.empty((len(given.codes), k + packed.shape[1]))
    for part in chunks(len(out), len(components), components.shape[1]):
        entries = None if given.entries is None else given.entries[part]
        seen = Seen(*read_cells(block[part], entries, rules.zeros), U, b, packed)
        codes = given.codes[part]
        at = place(rules, seen, codes).at
        out[part, k:] = at.bend.astype(np.float64) @ packed
        out[part, :k] = product(unpack(out[part, k:], k), codes.astype(np.float64)) - at.slope @ U.T
    return out
