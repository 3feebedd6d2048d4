"""Prints the seconds each system takes from files to a model, the ratio to unmix, and whether answers agree.

dask-ml and pyspark (with Java) are peers that are not in requirements.txt; one that is absent is left out. A peer that
takes more than eight times as long as unmix is stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks.cluster_peers.systems import ITERATIONS, SYSTEMS
from benchmarks.gaussian_blobs import gaussian_blobs

FILES, D, K = 200, 16, 20
MOST_RATIO = 8.0
METHODS = ("kmeans", "pca")


def main(options: argparse.Namespace) -> None:
    rows = 10_000 if options.quick else 100_000
    print(f"\n# cluster_peers: {FILES * rows:,} × {D} in {FILES} Parquet files, k = {K}, {ITERATIONS} iterations")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "rows"
        write(folder, rows)
        for method in METHODS:
            compare(method, folder, options.repeat, options.only)


def write(folder: Path, rows: int) -> None:
    """Files of rows of the same blobs, and the centres that K-means begins at."""
    folder.mkdir()
    for part in range(FILES):
        X = gaussian_blobs(rows, D, K, spread=1.5, seed=7)
        X += np.random.default_rng(part).normal(scale=0.1, size=X.shape).astype(X.dtype)  # the same centres, other rows
        pl.DataFrame(X, schema=[f"c{i:02}" for i in range(D)]).write_parquet(folder / f"part-{part:03}.parquet")
    np.save(folder / "_start.npy", X[:K])


def compare(method: str, folder: Path, repeat: int, only: str = "") -> None:
    """unmix, then every peer for at most so many times as long."""
    ours = fits(folder, "unmix", method, repeat, None)
    print(f"\n{method:16}{'first':>10}{'later':>10}{'ratio':>8}  differs by")
    show("unmix", ours, ours)
    for name in SYSTEMS:
        if name != "unmix" and only in name:
            show(name, fits(folder, name, method, 0, MOST_RATIO * ours[0]["seconds"]), ours)


def fits(folder: Path, system: str, method: str, repeat: int, limit: float | None) -> list[dict[str, Any]]:
    """What each fit took and found; of the one that was stopped the limit. Empty where the system is absent."""
    command = [sys.executable, "-m", "benchmarks.cluster_peers.one_fit", str(folder), system, method, str(repeat)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as child:
        try:
            told, _ = child.communicate(timeout=None if limit is None else limit + 30)  # to import and to start
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            return [{"seconds": limit, "stopped": True, "answer": None}]
    return [json.loads(line) for line in told.splitlines() if line.startswith("{")]


def show(name: str, seen: list[dict[str, Any]], ours: list[dict[str, Any]]) -> None:
    """The first fit of each is compared with the first of unmix."""
    if not seen:
        print(f"{name:16}    absent")
        return
    first, later = seen[0]["seconds"], min((one["seconds"] for one in seen[1:]), default=float("nan"))
    more = ">" if seen[0].get("stopped") else ""
    answer = seen[0]["answer"]
    far = "" if answer is None else f"{distance(np.array(answer), np.array(ours[0]['answer'])):.1e}"
    print(f"{name:16}{more}{first:8.1f}s{later:9.1f}s{more:>2}{first / ours[0]['seconds']:6.1f}  {far}", flush=True)


def distance(answer: np.ndarray, reference: np.ndarray) -> float:
    """Largest difference; of variances relative to their sum, since Spark gives shares."""
    if answer.ndim == 1:
        answer, reference = answer / answer.sum(), reference / reference.sum()
    return float(np.abs(answer - reference).max() / np.abs(reference).max())
