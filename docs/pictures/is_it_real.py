"""Six tables on which one criterion or another is wrong, and what each says: docs/assets/is-it-real.png."""

from functools import cache

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from unmix.cluster import KMeans
from unmix.datasets import gaussian, skewed, uniform
from unmix.validation import (
    BIC,
    CalinskiHarabasz,
    Consensus,
    CrossValidation,
    DaviesBouldin,
    GapStatistic,
    MixtureOrder,
    Separation,
    Silhouette,
    Stability,
    select,
)

PAGE = "is_it_real.md"


def tables() -> dict[str, tuple[np.ndarray, int]]:
    rng = np.random.default_rng(0)
    bars = rng.uniform(size=(600, 2)) * [30, 1] + np.where(np.arange(600) % 2, 0, 4)[:, None] * [0, 1]
    lattice = 3.4 * np.stack(np.meshgrid(range(3), range(3)), -1).reshape(-1, 2)
    touching = lattice[np.arange(900) % 9] + rng.standard_normal((900, 2))
    spreads = np.repeat([2.0, 0.3, 0.3], [500, 100, 100])[:, None]
    sizes = np.repeat([[0.0, 0.0], [7.0, 0.0], [8.8, 0.0]], [500, 100, 100], axis=0)
    return {
        "one flat square": (uniform(800, 2, random_state=1), 1),
        "one skewed cloud": (skewed(800, 2, random_state=0), 1),
        "one long cloud": (gaussian(800, 2, random_state=0) * [8, 1], 1),
        "two long bars": (bars, 2),
        "nine that touch": (touching, 9),
        "a large, two small": (sizes + spreads * rng.standard_normal((700, 2)), 3),
    }


CRITERIA = [
    Silhouette(),
    CalinskiHarabasz(),
    DaviesBouldin(),
    GapStatistic(),
    BIC(),
    Stability(),
    Separation(),
    MixtureOrder("BIC"),
    MixtureOrder("ICL"),
    Consensus(),
    CrossValidation(),
]


@cache
def answers() -> dict[str, dict[str, str]]:
    """The number that each criterion prefers of each table."""
    said: dict[str, dict[str, str]] = {"**truth**": {name: f"**{k}**" for name, (_, k) in tables().items()}}
    for name, (X, _) in tables().items():
        found = select(KMeans(), X, range(1, 13), CRITERIA, random_state=0)
        for criterion, params in found.choices.items():
            said.setdefault(criterion, {})[name] = "–" if params is None else str(params["n_clusters"])
    return said


def shown() -> dict:
    lines = ["| criterion | " + " | ".join(tables()) + " |", "|---" * (1 + len(tables())) + "|"]
    for criterion, by_table in answers().items():
        name = f"**{criterion}**" if criterion == "consensus" else criterion
        lines.append(f"| {name} | " + " | ".join(by_table.values()) + " |")
    return {"on the page": lines}


def figures() -> dict[str, Figure]:
    figure, axes = plt.subplots(2, 3, figsize=(9, 6.4))
    for axis, (name, (X, k)) in zip(axes.ravel(), tables().items()):
        axis.scatter(*X.T, s=2, linewidths=0, alpha=0.7)
        axis.set_title(f"{name}: {k}\nunmix says {answers()['consensus'][name]}", fontsize=10)
        axis.set_aspect("equal", "datalim")
        axis.set(xticks=[], yticks=[])
    return {"is-it-real": figure}
