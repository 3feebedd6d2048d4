"""Prints the seconds each system takes from files to a model, cold and warm, the ratio, and whether answers agree.

dask-ml and pyspark (with Java) are peers that are not in requirements.txt; one that is absent is left out.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from benchmarks.cluster_peers.systems import SYSTEMS
from benchmarks.gaussian_blobs import gaussian_blobs

FILES, D, K = 200, 16, 20


class Seen(NamedTuple):
    """Seconds of the first fit, the median of later ones, and what was found."""

    cold: float
    warm: float
    answer: Any


def main(options: argparse.Namespace) -> None:
    rows = 10_000 if options.quick else 100_000
    print(f"\n# cluster_peers: {FILES * rows:,} × {D} in {FILES} Parquet files, k = {K}, two processes")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "rows"
        start = write(folder, rows)
        seen = {}
        for name in SYSTEMS:
            try:
                seen[name] = measure(name, folder, start, options.repeat)
            except ImportError as absent:
                print(f"{name}: absent ({absent.name})")
    for method in ("kmeans", "pca"):
        show(method, {name: fits[method] for name, fits in seen.items()})


def write(folder: Path, rows: int) -> np.ndarray:
    """Files of rows of the same blobs; gives the centres that K-means begins at."""
    folder.mkdir()
    for part in range(FILES):
        X = gaussian_blobs(rows, D, K, spread=1.5, seed=7)
        X += np.random.default_rng(part).normal(scale=0.1, size=X.shape).astype(X.dtype)  # the same centres, other rows
        pl.DataFrame(X, schema=[f"c{i:02}" for i in range(D)]).write_parquet(folder / f"part-{part:03}.parquet")
    return X[:K].copy()


def measure(name: str, folder: Path, start: np.ndarray, repeat: int) -> dict[str, Seen]:
    found = {}
    with SYSTEMS[name](folder, start) as fits:
        for method, fit in fits.items():
            seconds = []
            for _ in range(1 + repeat):
                begin = time.perf_counter()
                answer = fit()
                seconds.append(time.perf_counter() - begin)
            found[method] = Seen(seconds[0], median(seconds[1:]), answer)
    return found


def show(method: str, seen: dict[str, Seen]) -> None:
    print(f"\n{method:16}{'cold':>9}{'warm':>9}{'ratio':>8}  differs by")
    ours = seen["unmix"]
    for name, (cold, warm, answer) in seen.items():
        far = "other start" if answer is None else f"{distance(answer, ours.answer):.1e}"
        print(f"{name:16}{cold:8.2f}s{warm:8.2f}s{warm / ours.warm:8.2f}  {far}")


def distance(answer: np.ndarray, reference: np.ndarray) -> float:
    """Largest difference; of variances relative to their sum, since Spark gives shares."""
    if answer.ndim == 1:
        answer, reference = answer / answer.sum(), reference / reference.sum()
    return np.abs(answer - reference).max() / np.abs(reference).max()
