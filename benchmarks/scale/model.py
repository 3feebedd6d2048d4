"""The time of a pass, from constants and from the plan that `core/dask_blocks.py` makes.

pass = longest queue of a thread × leaf + tasks × task + nodes × merge + bytes ÷ bandwidth
"""

from __future__ import annotations

from typing import NamedTuple

from unmix.core.dask_blocks import task_size
from unmix.core.plan import plan_leaves


class Constants(NamedTuple):
    """Seconds of one leaf, one task and one merge, seconds for a pass without anything, and bytes a second."""

    leaf: float
    task: float
    merge: float
    begin: float
    bandwidth: float


class Pass(NamedTuple):
    """What is sent to each task and comes back from each node, in bytes."""

    n_leaves: int
    n_threads: int
    state: int
    statistics: int


class Parts(NamedTuple):
    work: float
    scheduling: float
    merging: float
    sending: float

    @property
    def total(self) -> float:
        return sum(self)


def predict(it: Pass, constants: Constants) -> Parts:
    a_node, a_task = task_size(it.n_leaves, it.n_threads)
    tasks, nodes = -(-it.n_leaves // a_task), -(-it.n_leaves // a_node)
    queue = -(-tasks // it.n_threads) * min(a_task, it.n_leaves)
    work = max(queue, it.n_leaves / it.n_threads) * constants.leaf
    sent = tasks * it.state + nodes * it.statistics
    scheduling = constants.begin + tasks * constants.task
    return Parts(work, scheduling, (nodes + it.n_leaves / it.n_threads) * constants.merge, sent / constants.bandwidth)


def leaves(n_rows: int, n_columns: int) -> int:
    return plan_leaves(n_rows, n_columns).n_leaves
