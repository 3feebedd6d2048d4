"""Clustering costs: how bad it is to give every object its label. A name is imported when it is first used.

One cost a file, side by side, because they are read against each other. Compiled moves, nearest centres, Gaussians and
what histograms share have rooms below.
"""

from importlib import import_module
from typing import Any

# public names and the module that defines each
_home = {
    "Correlation": "correlation",
    "Cost": "base",
    "Couplings": "potts",
    "Cut": "cut",
    "Dissimilarities": "pairwise",
    "Gaussian": "gaussian.cost",
    "HasCriticalTemperatures": "base",
    "HasFields": "base",
    "HasMoves": "base",
    "HasPrototypes": "base",
    "HasTransitions": "base",
    "HasVectors": "base",
    "Histogram": "histogram",
    "Ising": "ising",
    "IsingData": "ising",
    "LeastAngle": "least_angle",
    "LinkedRows": "smooth_means",
    "Neighborhood": "neighborhood",
    "Pairwise": "pairwise",
    "PairwiseNeighborhood": "pairwise_neighborhood",
    "ParametricDistributional": "parametric_distributional",
    "Potts": "potts",
    "SmoothMeans": "smooth_means",
    "SquaredDistance": "squared_distance",
    "Weighted": "squared_distance",
    "make_dissimilarities": "pairwise",
    "make_links": "links",
    "register": "moves",
}

__all__ = sorted(_home)


def __getattr__(name: str) -> Any:
    if name in _home:
        return getattr(import_module(f"{__name__}.{_home[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
