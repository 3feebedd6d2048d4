"""Figures of fitted models with matplotlib, in the manner of scikit-learn's displays."""

from importlib import import_module
from typing import Any

# A display is imported when it is first asked for, and matplotlib when it first draws.
_home = {
    "BandwidthDisplay": "unmix.plot.bandwidth",
    "DensityDisplay": "unmix.plot.density",
    "EmbeddingDisplay": "unmix.plot.embedding",
    "KMeansDisplay": "unmix.plot.kmeans",
    "MapDisplay": "unmix.plot.map",
    "MixtureDisplay": "unmix.plot.mixture",
    "SelectionDisplay": "unmix.validation.selection.picture",
    "SilhouetteDisplay": "unmix.plot.silhouette",
    "SpectrumDisplay": "unmix.plot.spectrum",
    "SplitTreeDisplay": "unmix.plot.split_tree",
}

__all__ = sorted(_home)


def __getattr__(name: str) -> Any:
    if name in _home:
        return getattr(import_module(_home[name]), name)
    raise AttributeError(f"module 'unmix.plot' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
