"""Cost of a pass on a cluster: constants, predicted against measured times for 1–64 workers, and the table beyond.

Leaves wait instead of working, so that 64 workers fit on any machine; scheduling, sending and merging are real.
Workers 1–4 are processes, more of them threads of two processes.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from benchmarks.scale.constants import constants_of, leaf_seconds, measure
from benchmarks.scale.model import Pass, leaves, predict

K, D = 100, 16
WAIT = 0.05  # seconds of a waiting leaf
WORKERS = ((1, 1), (2, 1), (4, 1), (2, 4), (2, 8), (2, 16), (2, 32))  # processes, threads of each
LEAVES_A_THREAD = 24
ROUNDS = 7
SATURATION = 1.0  # tasks at a worker for each of its threads; with dask's 1.1 some wait there while others are idle
BYTES = (K * D + K) * 8


def main(options: argparse.Namespace) -> None:
    import dask
    from distributed import Client, LocalCluster

    dask.config.set({"distributed.scheduler.worker-saturation": SATURATION})
    print(f"\n# scale: a pass of K-means, k = {K}, d = {D}; leaves wait {1000 * WAIT:.0f} ms")
    print(f"{'workers':>8}{'leaves':>8}{'predicted':>11}{'measured':>10}{'ratio':>7}")
    found = []
    for processes, threads in WORKERS[:4] if options.quick else WORKERS:
        with (
            LocalCluster(
                n_workers=processes, threads_per_worker=threads, dashboard_address=None, silence_logs=50
            ) as made,
            Client(made, set_as_default=False) as client,
        ):
            client.wait_for_workers(processes, timeout=120)
            found.append(compare(client, processes * threads))
    table(found[1][1], leaf_seconds(K, D))


def compare(client: Any, n_threads: int) -> tuple[int, Any]:
    """One line: what constants say, and what passes take that ran between those that the constants come from."""
    n = LEAVES_A_THREAD * n_threads
    measure(client, n_threads, 0.0, K, D)  # workers are new, and import what a pass needs
    rounds = [measure(client, n, WAIT, K, D) for _ in range(ROUNDS)]
    constants = constants_of(client, rounds, K, D)._replace(leaf=WAIT)
    told = predict(Pass(n, n_threads, BYTES, BYTES), constants).total
    took = float(np.median([one.waiting for one in rounds]))
    print(f"{n_threads:8}{n:8}{told:10.2f}s{took:9.2f}s{took / told:7.2f}", flush=True)
    return n_threads, constants


def table(constants: Any, leaf: float) -> None:
    """What the model says of tables and clusters that are not here."""
    constants = constants._replace(leaf=leaf)
    print(
        f"\nconstants: leaf {1e3 * leaf:.1f} ms, task {1e3 * constants.task:.2f} ms, merge "
        f"{1e6 * constants.merge:.0f} µs, begin {1e3 * constants.begin:.0f} ms, {constants.bandwidth / 1e6:.0f} MB/s"
    )
    print(f"{'rows':>8}{'workers':>9}{'pass':>12}{'work':>8}{'scheduling':>12}{'merging':>9}{'sending':>9}")
    for rows in (10**8, 10**9, 10**10, 10**11, 10**12):
        for workers in (10, 100, 1000):
            parts = predict(Pass(leaves(rows, D), workers, BYTES, BYTES), constants)
            shares = "".join(f"{100 * part / parts.total:{width}.0f}%" for part, width in zip(parts, (7, 11, 8, 8)))
            print(f"{rows:8.0e}{workers:9}{parts.total:11.1f}s{shares}")
