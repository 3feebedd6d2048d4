"""2M × 16 rows in an npy file, five K-means iterations from given centres, so that both do exactly the same work.

With 400 centres a task (an eighth of the tree) takes 100 ms and more; shorter ones measure the scheduler.
"""

import argparse
import os
import tempfile
import time
import warnings
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.gaussian_blobs import gaussian_blobs


def fit_seconds(path: Path, start: np.ndarray, **where: object) -> tuple[float, np.ndarray]:
    import unmix
    from unmix.cluster import KMeans

    model = KMeans(len(start), init=start, n_init=1, swaps=0, max_iter=5, tol=0)
    begin = time.perf_counter()
    with unmix.execution(**where), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # five iterations are not meant to converge
        model.fit(path)
    return time.perf_counter() - begin, model.cluster_centers_


def main(options: argparse.Namespace) -> None:
    from distributed import Client, LocalCluster

    # Two processes and the driver share the same kernels on disk.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    rows, k = (200_000 if options.quick else 2_000_000), 400
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "rows.npy"
        np.save(path, gaussian_blobs(rows, 16, k, spread=1.5, seed=7))
        start = np.load(path, mmap_mode="r")[:k].copy()
        with (
            LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
            Client(cluster) as client,
        ):
            print(f"\n# dask: K-means {rows:,} × 16, k = {k}, float32 from disk, 5 iterations")
            pairs = []
            for _ in range(1 + options.repeat):
                local = fit_seconds(path, start, threads=2)
                remote = fit_seconds(path, start, executor=client)
                pairs.append((local[0], remote[0]))
                same = np.array_equal(local[1], remote[1])
    warm = pairs[1:]
    print(f"local, 2 threads   {median(p[0] for p in warm):8.3f} s   cold {pairs[0][0]:.2f} s")
    print(f"Dask, 2 workers    {median(p[1] for p in warm):8.3f} s   cold {pairs[0][1]:.2f} s")
    print(f"Dask ÷ local: {median(p[1] / p[0] for p in warm):.2f}; same bits: {'yes' if same else 'NO'}")
