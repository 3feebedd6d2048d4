"""Explores a folder on a cluster and again in one process: seconds, memory of driver and workers, and what differs."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

FILES, D, K, REGIONS = 200, 16, 6, 8
WORKER_MEMORY = "1GB"


class Run(NamedTuple):
    seconds: float
    cpu: float
    megabytes: float  # the most that the process held


def main(options: argparse.Namespace) -> None:
    rows = 10_000 if options.quick else 100_000
    print(f"\n# cluster_explore: {FILES * rows:,} × {D} in {FILES} Parquet files, two workers of {WORKER_MEMORY}")
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        write(place / "rows", rows)
        show("driver", on_cluster(place))
        show("one process", explore(place / "rows", place / "local"))
        print("differs:", ", ".join(differences(place / "cluster", place / "local")) or "nothing")


def write(folder: Path, rows: int) -> None:
    """Clusters around the same centres in every file, below folders of a region."""
    centres = np.random.default_rng(7).normal(scale=2.0, size=(K, D))
    for part in range(FILES):
        rng = np.random.default_rng((1, part))
        X = centres[rng.integers(K, size=rows)] + rng.standard_normal((rows, D))
        place = folder / f"region={'ABCDEFGH'[part % REGIONS]}"
        place.mkdir(parents=True, exist_ok=True)
        pl.DataFrame(X, schema=[f"c{i:02}" for i in range(D)]).write_parquet(place / f"part-{part:03}.parquet")


def on_cluster(place: Path) -> Run:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit=WORKER_MEMORY, dashboard_address=None, silence_logs=50
        ) as made,
        Client(made) as client,
    ):
        before = client.run(os.getpid)
        run = explore(place / "rows", place / "cluster", "--dask", made.scheduler_address)
        restarted = set(client.run(os.getpid).values()) - set(before.values())
        most = max(client.run(peak_megabytes).values())
        print(f"workers: at most {most:.0f} MB, {len(restarted)} of them started again", flush=True)
    return run


def explore(folder: Path, out: Path, *more: str) -> Run:
    begin = time.perf_counter()
    command = [sys.executable, "-m", "unmix", "explore", str(folder), "--out", str(out), "--quiet", *more]
    child = subprocess.Popen(command)
    _, status, used = os.wait4(child.pid, 0)
    if status:
        raise RuntimeError(f"explore ended with {os.waitstatus_to_exitcode(status)}")
    return Run(time.perf_counter() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def peak_megabytes() -> float:
    """The most that this process held; ru_maxrss would begin with what its parent held."""
    status = Path("/proc/self/status").read_text()
    return float(status.split("VmHWM:")[1].split()[0]) / 1024


def show(name: str, run: Run) -> None:
    print(f"{name:12}{run.seconds:9.0f} s{run.cpu:9.0f} CPU s{run.megabytes:8.0f} MB", flush=True)


def differences(one: Path, other: Path) -> list[str]:
    """Findings and files of labels that are not the same."""
    names = {path.relative_to(folder) for folder in (one, other) for path in (folder / "labels").rglob("*.parquet")}
    print(f"{len(names)} files of labels")
    found = [str(name) for name in sorted(names) if not same_labels(one / "labels", other / "labels", name)]
    return (["findings.json"] if findings(one) != findings(other) else []) + found


def same_labels(one: Path, other: Path, name: Path) -> bool:
    labels = name.relative_to("labels")
    if not ((one / labels).exists() and (other / labels).exists()):
        return False
    return pl.read_parquet(one / labels).equals(pl.read_parquet(other / labels))


def findings(folder: Path) -> Any:
    """What was found, without when."""
    return json.loads((folder / "findings.json").read_text()) | {"created": ""}
