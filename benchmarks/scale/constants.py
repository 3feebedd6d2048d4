"""Each constant of the model, measured on the cluster at hand and in this process."""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np

from benchmarks.scale.model import Constants
from benchmarks.scale.waiting import Sums, WaitingSource, wait
from unmix.core.dask_blocks import DaskBlocks
from unmix.core.tree import merge

TRIES = 7  # of which the shortest counts: other work on a machine only adds


def measure(client: Any, k: int, d: int) -> Constants:
    """Of a cluster whose leaves wait for nothing; `leaf` is left at 0."""
    few, many = (min(_pass(client, n, k, d) for _ in range(TRIES)) for n in (1, 512))
    tasks = len(DaskBlocks(WaitingSource(512), client)._data())
    bandwidth = _bandwidth(client)
    moved = tasks * 2 * (k * d + k) * 8 / bandwidth
    task = max((many - few - moved - 512 * merge_seconds(k, d)) / max(tasks - 1, 1), 1e-5)
    return Constants(0.0, task, merge_seconds(k, d), max(few - task, 0.0), bandwidth)


def _pass(client: Any, n_leaves: int, k: int, d: int) -> float:
    blocks, centers = DaskBlocks(WaitingSource(n_leaves), client), np.zeros((k, d))
    begin = time.perf_counter()
    blocks.reduce(wait, 0.0, centers)
    return time.perf_counter() - begin


def merge_seconds(k: int, d: int, times: int = 2000) -> float:
    one, other = (Sums(np.ones((k, d)), np.ones(k)) for _ in range(2))
    begin = time.perf_counter()
    for _ in range(times):
        merge(one, other)
    return (time.perf_counter() - begin) / times


def _bandwidth(client: Any, size: int = 2**24) -> float:
    """Of bytes that go to a worker and come back."""
    seconds = []
    for i in range(TRIES):
        sent = np.full(size // 8, float(i))
        begin = time.perf_counter()
        client.gather(client.submit(np.negative, sent, pure=False))
        seconds.append(time.perf_counter() - begin)
    return 2 * size / min(seconds)


def leaf_seconds(k: int, d: int) -> float:
    """Of a leaf of K-means: distances of 16,384 rows to k centres, on one thread, in processor time."""
    import unmix
    from unmix.cluster import KMeans

    X = np.random.default_rng(0).normal(size=(32 * 16384, d))
    model = KMeans(k, init=X[:k].copy(), n_init=1, swaps=0, max_iter=1, tol=0)
    with unmix.execution(threads=1), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one iteration is not meant to converge
        model.fit(X)
        begin = time.process_time()
        model.predict(X)
    return (time.process_time() - begin) / 32
