"""Each constant of the model, measured on the cluster at hand and in this process."""

from __future__ import annotations

import time
import warnings
from typing import Any, NamedTuple

import numpy as np

from benchmarks.scale.model import Constants
from benchmarks.scale.waiting import Sums, WaitingSource, wait
from unmix.core.dask_blocks import DaskBlocks
from unmix.core.summation.tree import merge


class Round(NamedTuple):
    """Seconds of one pass each: of one leaf and of many that wait for nothing, of leaves that wait; bytes a second.

    They come right after one another, so that what else the machine does is in all of them.
    """

    few: float
    many: float
    waiting: float
    bandwidth: float


MANY = 512  # leaves


def measure(client: Any, n_leaves: int, wait_seconds: float, k: int, d: int) -> Round:
    return Round(
        _pass(client, 1, 0.0, k, d), _pass(client, MANY, 0.0, k, d), _pass(client, n_leaves, wait_seconds, k, d),
        _bandwidth(client),
    )  # fmt: skip


def constants_of(client: Any, rounds: list[Round], k: int, d: int) -> Constants:
    """Of medians of the rounds; `leaf` is left at 0."""
    few, many, _, bandwidth = (float(np.median(part)) for part in zip(*rounds))
    tasks = len(DaskBlocks(WaitingSource(MANY), client)._data())
    merge_one = merge_seconds(k, d)
    moved = tasks * 2 * (k * d + k) * 8 / bandwidth
    task = max((many - few - moved - MANY * merge_one) / max(tasks - 1, 1), 1e-5)
    return Constants(0.0, task, merge_one, max(few - task, 0.0), bandwidth)


def _pass(client: Any, n_leaves: int, seconds: float, k: int, d: int) -> float:
    blocks, centers = DaskBlocks(WaitingSource(n_leaves), client), np.zeros((k, d))
    begin = time.perf_counter()
    blocks.reduce(wait, seconds, centers)
    return time.perf_counter() - begin


def merge_seconds(k: int, d: int, times: int = 2000) -> float:
    one, other = (Sums(np.ones((k, d)), np.ones(k)) for _ in range(2))
    begin = time.perf_counter()
    for _ in range(times):
        merge(one, other)
    return (time.perf_counter() - begin) / times


def _bandwidth(client: Any, size: int = 2**22) -> float:
    """Of bytes that go to a worker and come back."""
    sent = np.random.default_rng().normal(size=size // 8)
    begin = time.perf_counter()
    client.gather(client.submit(np.negative, sent, pure=False))
    return 2 * size / (time.perf_counter() - begin)


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
