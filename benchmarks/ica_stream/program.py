"""Infomax and OnlineICA by `partial_fit` on a memory-mapped file of 5M × 8 float32 (quick: 200k)."""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.ica.objective import evaluate
from benchmarks.solver_process import resident

CHUNK = 50_000


def write(path: Path, n: int) -> np.ndarray:
    """Eight sources, half of them peaked and half flat, mixed and written a piece at a time; returns the mixing."""
    rng = np.random.default_rng(0)
    mixing = rng.normal(size=(8, 8))
    out = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(n, 8))
    for start in range(0, n, CHUNK):
        shape = (min(CHUNK, n - start), 4)
        sources = np.column_stack([rng.laplace(size=shape), rng.uniform(-2, 2, size=shape)])
        out[start : start + CHUNK] = sources @ mixing.T
    out.flush()
    return mixing


def main(options: argparse.Namespace) -> None:
    from unmix.separation import Infomax, OnlineICA

    n = 200_000 if options.quick else 5_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.npy"
        mixing = write(path, n)
        print(f"\n# ica_stream: {n} × 8 float32, {path.stat().st_size / 2**20:.0f} MB")
        for model in (Infomax(random_state=0), OnlineICA(random_state=0), OnlineICA(rule="kurtosis", random_state=0)):
            model.partial_fit(np.load(path, mmap_mode="r")[:CHUNK])  # compiles
            before, begin = resident("VmRSS"), time.process_time()
            for start in range(CHUNK, n, CHUNK):
                model.partial_fit(np.load(path, mmap_mode="r")[start : start + CHUNK])  # mapped anew: no page is kept
            seconds, grown = time.process_time() - begin, resident("VmRSS") - before
            index = evaluate(model.components_, X=np.empty(0), mixing=mixing)
            print(f"{model!r:48} {seconds:7.2f} CPU s  {grown:6.0f} MB more  Amari index {index:.4f}", flush=True)
