"""What a class here and scikit-learn's of the same name have in common, and where they differ, read off the classes."""

from __future__ import annotations

import inspect
import warnings
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from tests.scikit_learn.rewritten import SHARED

THEIRS = {
    "DictionaryLearning": "sklearn.decomposition",
    "FastICA": "sklearn.decomposition",
    "GaussianMixture": "sklearn.mixture",
    "KernelDensity": "sklearn.neighbors",
    "KMeans": "sklearn.cluster",
    "LocallyLinearEmbedding": "sklearn.manifold",
    "MiniBatchDictionaryLearning": "sklearn.decomposition",
    "MiniBatchKMeans": "sklearn.cluster",
    "NMF": "sklearn.decomposition",
    "PCA": "sklearn.decomposition",
    "SparseCoder": "sklearn.decomposition",
    "TruncatedSVD": "sklearn.decomposition",
}


class Comparison(NamedTuple):
    """Names of parameters, methods and fitted attributes: in both, here only, there only; and other defaults."""

    same: list[str]
    added: list[str]
    absent: list[str]
    other_default: dict[str, tuple[Any, Any]]  # name -> (scikit-learn's, ours)


def pair(name: str) -> tuple[type, type]:
    """The class here, and scikit-learn's."""
    return getattr(import_module(SHARED[name]), name), getattr(import_module(THEIRS[name]), name)


def parameters(name: str) -> Comparison:
    ours, theirs = (_defaults(kind) for kind in pair(name))
    other = {key: (theirs[key], ours[key]) for key in ours.keys() & theirs.keys() if not _equal(ours[key], theirs[key])}
    return _compared(ours, theirs)._replace(other_default=dict(sorted(other.items())))


def methods(name: str) -> Comparison:
    ours, theirs = ({key for key in dir(kind) if _is_method(kind, key)} for kind in pair(name))
    return _compared(ours, theirs)


def attributes(name: str) -> Comparison:
    ours, theirs = (_fitted(kind, name) for kind in pair(name))
    return _compared(ours, theirs)


def _compared(ours: Any, theirs: Any) -> Comparison:
    mine, other = set(ours), set(theirs)
    return Comparison(sorted(mine & other), sorted(mine - other), sorted(other - mine), {})


def _defaults(kind: type) -> dict[str, Any]:
    given = inspect.signature(kind).parameters.values()
    return {one.name: one.default for one in given if one.name not in ("args", "kwargs")}


def _equal(a: Any, b: Any) -> bool:
    return a is b or (type(a) is type(b) and a == b)


def _is_method(kind: type, key: str) -> bool:
    return not key.startswith("_") and callable(getattr(kind, key, None))


def _fitted(kind: type, name: str) -> set[str]:
    """Public names with an underscore at the end, after a fit of a few rows of amounts."""
    X = np.random.default_rng(0).gamma(2.0, size=(60, 5))
    given = {"dictionary": np.eye(5)} if name == "SparseCoder" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = kind(**given).fit(X)
        held = {key for key in vars(model) if key.endswith("_") and not key.startswith("_")}
        named = {key for key in dir(kind) if key.endswith("_") and not key.startswith("_")}
        return held | {key for key in named if _is_there(model, key)}


def _is_there(model: Any, key: str) -> bool:
    try:
        getattr(model, key)
    except AttributeError:
        return False
    return True
