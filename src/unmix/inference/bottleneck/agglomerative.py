"""Agglomerative information bottleneck: merge, again and again, the two groups that lose the least information.

    δ(a, b) = (p_a + p_b) JS(p(y|a), p(y|b)), with weights in proportion to the masses

Memory is that of the groups: for each one only its best partner is kept, and looked for again when that one is gone.
Reference: Slonim & Tishby, Agglomerative information bottleneck, NIPS 1999.
"""

from __future__ import annotations

import numpy as np

from unmix.inference.bottleneck.hard_code import cluster_sums
from unmix.inference.bottleneck.sequential import sweep_once
from unmix.information.distribution import is_sparse
from unmix.information.objects import Objects

MOST_GROUPS = 512  # groups that merging starts from
WORK = 5e7  # logarithms it may take


def agglomerate(objects: Objects, k: int, generator: np.random.Generator) -> np.ndarray:
    """Labels (n,) of k clusters. Many objects are first brought together around a draw of them."""
    n, d = objects.rows.shape
    stored = objects.rows.nnz if is_sparse(objects.rows) else n * d
    m = max(4 * k, min(MOST_GROUPS, int(WORK / stored), int(np.sqrt(WORK / d))))
    labels = np.arange(n) if n <= m else gather_around_draw(objects, m, generator)
    return merge_groups(cluster_sums(objects, labels, min(n, m)), k)[labels]


def merge_groups(sums: np.ndarray, k: int) -> np.ndarray:
    """The cluster, of k, that each row of ``sums`` ends in."""
    from unmix.inference.bottleneck.agglomerative_kernel import merge_down

    parent = np.arange(len(sums))
    m = len(sums)
    merge_down(sums.copy(), sums.sum(axis=1), k, parent, np.ones(m, bool), np.empty(m), np.empty(m, np.int64))
    return np.unique(parent, return_inverse=True)[1]


def gather_around_draw(objects: Objects, m: int, generator: np.random.Generator) -> np.ndarray:
    """m groups: objects drawn by mass, then every other one where it loses the least."""
    n = len(objects.mass)
    labels = np.full(n, -1)
    labels[generator.choice(n, m, replace=False, p=objects.mass)] = np.arange(m)
    return sweep_once(objects, labels, m)[0]
