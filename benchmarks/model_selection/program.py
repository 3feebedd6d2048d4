"""Runs `select` and a plain scikit-learn loop with the same resamples on the same data, and prints CPU seconds.

Both fit K-means with five starts at every K to 20 reference tables and 20 pairs of halves (4 with --quick), and compare
the halves by the best matching of labels. The loop does so on all rows, as one writes it, and on 2000 rows, as many as
`select` looks at. `select` besides fits the grid to all rows, measures valleys between clusters and chooses. BLAS and
OpenMP run on one thread in the loop, so that CPU seconds count work, not waiting. The default criteria of `select`
(consensus, stability, BIC, AIC) are timed by themselves, on the same tables and on a million rows.
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

from unmix.cluster import KMeans
from unmix.datasets import blobs
from unmix.validation import Separation, Stability, select, uniform_reference

LARGEST_K, STARTS = 15, 5


def plain_loop(X: np.ndarray, resamples: int) -> list[tuple[float, float]]:
    """For each K: mean log of the spread of reference tables, and the share of rows that halves label differently."""
    rng, draw = np.random.default_rng(0), uniform_reference(X)
    answers = []
    with threadpool_limits(1):
        for k in range(2, LARGEST_K + 1):
            spread = [_fit(k, draw(rng)).inertia_ for _ in range(resamples)]
            differ = [_halves(k, X, rng) for _ in range(resamples)]
            answers.append((float(np.log(spread).mean()), float(np.mean(differ))))
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


def default_verdict(X: np.ndarray, _resamples: int) -> str:
    return select(KMeans(), X, range(1, LARGEST_K + 1), random_state=0).verdict


def seconds(work: Callable[[np.ndarray, int], Any], X: np.ndarray, resamples: int) -> float:
    start = time.process_time()
    work(X, resamples)
    return time.process_time() - start


def main(options: argparse.Namespace) -> None:
    resamples = 4 if options.quick else 20
    for work in (verdict, default_verdict):  # compiled kernels are loaded here
        work(blobs(300, 10, 3, random_state=0)[0], 2)
    print(f"\n# model selection, K = 1 … {LARGEST_K}, {resamples} references and pairs of halves, CPU seconds")
    print(f"{'data':24}{'select':>10}{'loop, all rows':>18}{'loop, 2000 rows':>18}{'ratios':>16}{'default':>10}")
    for n, d, k in ((2000, 2, 3), (10_000, 10, 6)):
        X, _ = blobs(n, d, k, random_state=0)
        part = X[np.random.default_rng(0).choice(n, 2000, replace=False)]
        ours = seconds(verdict, X, resamples)
        whole, same = (seconds(plain_loop, data, resamples) for data in (X, part))
        ratios = f"{whole / ours:9.1f}{same / ours:7.1f}"
        print(f"{f'{n} × {d}':24}{ours:10.1f}{whole:18.1f}{same:18.1f}{ratios}{seconds(default_verdict, X, 0):10.1f}")
    X, _ = blobs(100_000 if options.quick else 1_000_000, 10, 6, random_state=0)
    ours, default = seconds(verdict, X, resamples), seconds(default_verdict, X, 0)
    print(f"{f'{len(X)} × 10':24}{ours:10.1f}{'–':>18}{'–':>18}{'':16}{default:10.1f}")
    print(f"most memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GB")
