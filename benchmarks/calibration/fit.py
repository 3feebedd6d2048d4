"""The numbers of the rule that make what is known of made tables likeliest, a small ridge holding them finite."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize

from unmix.validation.selection.probability import Evidence, Rule, by_rule

RIDGE = 0.1
RARE = 1e-4  # what a table may cost at most: a mistake in its making is not to decide
OFFSETS = (0, 3)  # places of a₀ and b₀
Known = tuple[Evidence, int]  # what was seen of a table, and how many groups it holds


def fit_rule(tables: Sequence[Known], fixed: Sequence[int] = ()) -> Rule:
    """`fixed` are the places of weights that have nothing to weigh."""
    free = np.array([i for i in range(6) if i not in fixed])

    def rule(values: np.ndarray) -> Rule:
        weights = np.zeros(6)
        weights[free] = values
        return Rule(tuple(weights[:3].tolist()), tuple(weights[3:].tolist()))

    def loss(values: np.ndarray) -> float:
        return -sum(log_likelihood(rule(values), *table) for table in tables) + RIDGE * float(values @ values)

    # More evidence and more agreement never count against.
    bounds = [(None, None) if i in OFFSETS else (0.0, None) for i in free]
    found = minimize(loss, np.zeros(len(free)), method="L-BFGS-B", bounds=bounds)
    return rule(found.x.round(2))


def log_likelihood(rule: Rule, evidence: Evidence, k: int) -> float:
    said = by_rule(rule, evidence)
    other = said.clusters - sum(said.of.values())
    return float(np.log(max(other if k > 1 and k not in said.of else said.at(k), RARE)))
