"""Runs `select` and a plain scikit-learn loop with the same resamples on the same data, and prints time ratios.

Both fit K-means with every number of clusters to the table, and with five starts to 20 reference tables and 20 pairs of
halves (4 with --quick), and compare the halves by the best matching of labels. The loop resamples all rows, as one
writes it, or 2000 of them, as many as `select` looks at. `select` also measures valleys between clusters and chooses.
Wall time is taken on all processors, CPU time on one thread each, so that it counts work, not waiting. The default
criteria of `select` (consensus, stability, BIC, AIC) are timed by themselves, on the same tables and on a million rows.
"""

import argparse
import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans as PeerKMeans
from sklearn.metrics import confusion_matrix
from threadpoolctl import threadpool_limits

from unmix import execution
from unmix.cluster import KMeans
from unmix.datasets import blobs
from unmix.validation import Separation, Stability, select, uniform_reference

LARGEST_K, STARTS = 15, 5


def plain_loop(X: np.ndarray, resamples: int, most_rows: int) -> list[tuple[float, float, float]]:
    """For each K: the spread of the table, the mean log of that of references, and how much halves disagree."""
    rng = np.random.default_rng(0)
    part = X[rng.choice(len(X), min(len(X), most_rows), replace=False)]
    draw = uniform_reference(part)
    answers = []
    for k in range(2, LARGEST_K + 1):
        spread = [_fit(k, draw(rng)).inertia_ for _ in range(resamples)]
        differ = [_halves(k, part, rng) for _ in range(resamples)]
        answers.append((_fit(k, X).inertia_, float(np.log(spread).mean()), float(np.mean(differ))))
    return answers


def _fit(k: int, X: np.ndarray) -> Any:
    return PeerKMeans(k, n_init=STARTS, random_state=0).fit(X)


def _halves(k: int, X: np.ndarray, rng: np.random.Generator) -> float:
    first, second = np.array_split(X[rng.permutation(len(X))], 2)
    carried, own = _fit(k, first).predict(second), _fit(k, second).labels_
    counts = confusion_matrix(carried, own)
    return 1 - counts[linear_sum_assignment(counts, maximize=True)].sum() / len(second)


def verdict(X: np.ndarray, resamples: int) -> str:
    criteria = [Separation(n_references=resamples), Stability(n_resamples=resamples)]
    return select(KMeans(), X, range(1, LARGEST_K + 1), criteria, random_state=0).verdict


def default_verdict(X: np.ndarray) -> str:
    return select(KMeans(), X, range(1, LARGEST_K + 1), random_state=0).verdict


def wall(work: Callable[..., Any], *arguments: Any) -> float:
    start = time.perf_counter()
    work(*arguments)
    return time.perf_counter() - start


def cpu(work: Callable[..., Any], *arguments: Any) -> float:
    """Of one thread, in BLAS, OpenMP and unmix."""
    with threadpool_limits(1), execution(threads=1):
        start = time.process_time()
        work(*arguments)
        return time.process_time() - start


def main(options: argparse.Namespace) -> None:
    resamples = 4 if options.quick else 20
    small = blobs(300, 10, 3, random_state=0)[0]  # compiled kernels are loaded here
    verdict(small, 2)
    default_verdict(small)
    print(f"\n# model selection, K = 1 … {LARGEST_K}, {resamples} references and pairs of halves")
    print(f"{'data':16}{'':6}{'select, s':>11}{'loop, all rows':>18}{'loop, 2000 rows':>18}{'default, s':>13}")
    for n, d, k in ((2000, 2, 3), (10_000, 10, 6)):
        X, _ = blobs(n, d, k, random_state=0)
        for measure in (wall, cpu):
            ours, default = measure(verdict, X, resamples), measure(default_verdict, X)
            loops = [measure(plain_loop, X, resamples, rows) / ours for rows in (n, 2000)]
            ratios = "".join(f"{ratio:17.1f}×" for ratio in loops)
            print(f"{f'{n} × {d}':16}{measure.__name__:6}{ours:11.2f}{ratios}{default:13.2f}")
    X, _ = blobs(100_000 if options.quick else 1_000_000, 10, 6, random_state=0)
    ours, default = cpu(verdict, X, resamples), cpu(default_verdict, X)
    print(f"{f'{len(X)} × 10':16}{'cpu':6}{ours:11.2f}{'–':>18}{'–':>18}{default:13.2f}")
    print(f"most memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB")
