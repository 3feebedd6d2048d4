"""Distance between two clusterings: the share of objects on which they disagree under the best matching of labels.

d(a, b) = min over one-to-one maps π of  Σ_i w_i [π(a_i) ≠ b_i] / Σ_i w_i

The best π is an assignment problem on the table of counts (Kuhn 1955), so no permutation is tried.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment


def clustering_distance(a: Any, b: Any, *, sample_weight: Any = None) -> float:
    """Share of objects that two clusterings put differently, the names of the clusters not counting.

    The numbers of clusters may differ: a cluster left without a partner disagrees on all its objects.
    Objects that one of the two does not label (-1, None or NaN) are left out: compare two subsamples by writing both
    as labels of the whole, with -1 elsewhere.

    Parameters
    ----------
    a, b : sequences of n labels (integers, strings, …)
    sample_weight : n non-negative weights, optional

    Returns
    -------
    float
        0 for the same clustering, at most 1 - 1/K; NaN where no object is labelled by both.

    Examples
    --------
    >>> clustering_distance([0, 0, 1, 1], ["b", "b", "a", "a"])
    0.0
    >>> clustering_distance([0, 0, 1, 1, -1], [0, 0, 0, 1, 1])
    0.25
    """
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim != 1 or a.shape != b.shape:
        raise ValueError(f"a has shape {a.shape} and b {b.shape}; give two label sequences of the same length")
    weight = _weights(sample_weight, len(a))
    known = labelled(a) & labelled(b) & (weight > 0)
    if not known.any():
        return float("nan")
    return share_off(contingency(a[known], b[known], weight[known])[2])


def share_off(table: np.ndarray) -> float:
    """The share of a table of counts that lies off its best matching; of equal clusterings 0, exactly."""
    off = table.copy()
    off[linear_sum_assignment(table, maximize=True)] = 0.0
    return float(off.sum() / table.sum())


def distance_beside_chance(
    a: np.ndarray, b: np.ndarray, sample_weight: Any, n_random: int, rng: np.random.Generator
) -> tuple[float, float]:
    """The distance, and its mean where the labels of b that have a partner in a change places at random."""
    known = labelled(a) & labelled(b)
    if sample_weight is not None:
        known &= sample_weight > 0
    if not known.any():
        return float("nan"), float("nan")
    weight = None if sample_weight is None else sample_weight[known]
    (names_a, in_a), (names_b, in_b), table = contingency(a[known], b[known], weight)

    def at_random() -> float:
        return share_off(_count(in_a, rng.permutation(in_b), weight, len(names_a), len(names_b)))

    return share_off(table), float(np.mean([at_random() for _ in range(n_random)]))


def match_labels(labels: np.ndarray, target: np.ndarray, sample_weight: np.ndarray | None = None) -> np.ndarray:
    """`labels` (integers) renamed to agree best with `target`; a cluster without partner becomes -1."""
    known = labelled(labels) & labelled(target)
    weight = None if sample_weight is None else sample_weight[known]
    (names, in_labels), (target_names, _), table = contingency(labels[known], target[known], weight)
    rows, columns = linear_sum_assignment(table, maximize=True)
    partner = np.full(len(names), -1, dtype=target.dtype)
    partner[rows] = target_names[columns]
    renamed = np.full(labels.shape, -1)
    renamed[known] = partner[in_labels]
    return renamed


def contingency(a: np.ndarray, b: np.ndarray, weight: np.ndarray | None) -> tuple[Any, Any, np.ndarray]:
    """The names and their places in a, the same of b, and the weight of the objects that carry both."""
    (names_a, in_a), (names_b, in_b) = numbered(a), numbered(b)
    return (names_a, in_a), (names_b, in_b), _count(in_a, in_b, weight, len(names_a), len(names_b))


def _count(in_a: np.ndarray, in_b: np.ndarray, weight: np.ndarray | None, n_a: int, n_b: int) -> np.ndarray:
    return np.bincount(in_a * n_b + in_b, weights=weight, minlength=n_a * n_b).reshape(n_a, n_b)


def numbered(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The names in rising order, and the place of each label's among them; small whole numbers need no sorting."""
    if labels.dtype.kind not in "iu" or not len(labels) or labels.min() < 0 or labels.max() > len(labels):
        return np.unique(labels, return_inverse=True)
    present = np.bincount(labels) > 0
    if present.all():
        return np.arange(len(present)), labels
    return np.flatnonzero(present), (np.cumsum(present) - 1)[labels]


def labelled(labels: np.ndarray) -> np.ndarray:
    """Which objects have a label: not -1, None or NaN."""
    if labels.dtype.kind in "iub":
        return labels != -1
    if labels.dtype.kind == "f":
        return ~np.isnan(labels) & (labels != -1)
    if labels.dtype.kind == "O":
        return np.array([x is not None and x == x and x != -1 for x in labels], dtype=bool)
    return np.ones(labels.shape, dtype=bool)


def _weights(sample_weight: Any, n: int) -> np.ndarray:
    if sample_weight is None:
        return np.ones(n)
    weight = np.asarray(sample_weight, dtype=float)
    if weight.shape != (n,) or not np.isfinite(weight).all() or (weight < 0).any():
        raise ValueError(f"sample_weight has shape {weight.shape}; give {n} finite weights, none of them negative")
    return weight
