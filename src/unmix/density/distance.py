"""Distances other than Euclid's between rows, by the names scikit-learn has for them."""

from __future__ import annotations

from typing import Any

import numpy as np

EUCLIDEAN = ("euclidean", "l2")


def is_euclidean(metric: str, metric_params: dict[str, Any] | None) -> bool:
    """Whether this is the plain distance, by any of its names."""
    given = dict(metric_params or {})
    if metric in ("minkowski", "p"):
        return given in ({}, {"p": 2})
    return metric in EUCLIDEAN and not given


def check_metric(metric: Any, metric_params: Any, algorithm: str) -> None:
    """Refuse what is no metric, or none of those the tree knows, by the name of the parameter."""
    if metric_params is not None and not isinstance(metric_params, dict):
        raise ValueError(f"metric_params={metric_params!r}: give a dict of what the metric takes, or None")
    if isinstance(metric, str) and metric == "euclidean":
        return
    from sklearn.neighbors import BallTree, KDTree

    known = {"kd_tree": KDTree.valid_metrics}.get(algorithm, [*KDTree.valid_metrics, *BallTree.valid_metrics])
    if not isinstance(metric, str) or metric not in known:
        names = ", ".join(map(repr, sorted(set(known))))
        raise ValueError(f"metric={metric!r}: invalid metric for algorithm={algorithm!r}; give one of {names}")


def distances(queries: np.ndarray, rows: np.ndarray, metric: str, metric_params: dict[str, Any] | None) -> np.ndarray:
    """All of them, (m, n)."""
    from sklearn.metrics import DistanceMetric

    return np.asarray(DistanceMetric.get_metric(metric, **(metric_params or {})).pairwise(queries, rows))
