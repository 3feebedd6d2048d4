"""What estimators of costs with prototypes share: they anneal by themselves and leave all other steps to the engine."""

from typing import Any

import numpy as np

from unmix.costs.mass_constrained import Clusters
from unmix.inference.presets import count_temperatures, solve
from unmix.inference.prototypes.deterministic_annealing import SAME

OWN_INFERENCES = ("deterministic_annealing",)  # exact given the prototypes, with splits, so no mean field is needed
PATH = ("hierarchy_", "critical_temperatures_", "temperature_path_")


def solve_clusters(
    model: Any, cost: Any, data: Any, rows: Any, weights: np.ndarray | None, temperature: float, seed: int
) -> Clusters:
    """Prototypes and masses of the clusters that ``model.inference`` finds in `data`; empty ones are left out.

    `rows` and `weights` are the same data block by block, from which prototypes are estimated.
    """
    options: dict[str, Any] = {
        "temperature": temperature,
        "n_temperatures": count_temperatures(model.cooling),
        "seed": seed,
    }
    shares = solve(cost, data, model.n_clusters, inference=model.inference, **options).shares
    held = shares if weights is None else shares * weights[:, None]
    held = held[:, held.sum(axis=0) > 0]
    mass = held.sum(axis=0)
    previous = cost.start(len(mass)) if hasattr(cost, "start") else np.zeros((len(mass), rows.shape[1]))
    return Clusters(cost.prototypes(cost.statistics(rows, held, previous), previous), mass / mass.sum())


def join_equal(cost: Any, clusters: Clusters, temperature: float) -> Clusters:
    """Clusters that coincide become one: above its critical temperature a cluster is one, however often it is held."""
    U, p = clusters
    kept: list[int] = []
    apart = cost.separation(U)
    for c in np.argsort(-p, kind="stable"):
        near = [other for other in kept if apart[c, other] <= SAME * temperature]
        if near:
            p = p.copy()
            p[near[0]] += p[c]
        else:
            kept.append(int(c))
    return Clusters(U[kept], p[kept])


def forget_path(model: Any) -> None:
    """Only deterministic annealing tells the splits; what an earlier fit has stored is no longer true."""
    for name in PATH:
        vars(model).pop(name, None)
    model.n_iter_ = count_temperatures(model.cooling)
