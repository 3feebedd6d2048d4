"""How often the verdict on the number of clusters is right, beside scikit-learn's criteria on the same fits.

python -m benchmarks.model_order [--sets null,separated,tibshirani,known] [--repeats 20] [--max-k 10] [--peers]

null        one mode: Gaussian round and correlated, uniform, Student t (3 degrees), gamma, gamma mixed    K = 1
separated   Gaussian blobs, centres at least 7 standard deviations apart, equal and unequal sizes         K = 2 … 8
tibshirani  the five models of Tibshirani, Walther and Hastie (2001)
known       ../shared/data/modelorder beside the project: sets with a known number, up to --max-k
"""

from __future__ import annotations

import argparse
import csv
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from unmix.datasets import blobs, gaussian, skewed, student_t, tibshirani, uniform
from unmix.validation import BIC, Separation, select

NULLS = {
    "Gaussian, round": lambda n, d, seed: gaussian(n, d, random_state=seed),
    "Gaussian, correlated": lambda n, d, seed: gaussian(n, d, correlated=True, random_state=seed),
    "uniform": lambda n, d, seed: uniform(n, d, random_state=seed),
    "Student t, 3": lambda n, d, seed: student_t(n, d, random_state=seed),
    "gamma(1)": lambda n, d, seed: skewed(n, d, random_state=seed),
    "gamma(2), mixed": lambda n, d, seed: skewed(n, d, shape=2.0, correlated=True, random_state=seed),
}
SHAPES = [(100, 2), (1000, 2), (300, 5), (100, 10), (1000, 10)]

Case = tuple[str, np.ndarray, int]


def null(repeats: int) -> Iterator[Case]:
    for name, draw in NULLS.items():
        for seed in range(repeats):
            n, d = SHAPES[seed % len(SHAPES)]
            yield f"null: {name}", draw(n, d, seed), 1


def separated(repeats: int) -> Iterator[Case]:
    for sizes in ("equal", "unequal"):
        for k in range(2, 9):
            for seed in range(repeats):
                n, d = SHAPES[seed % len(SHAPES)]
                X, _ = blobs(max(n, 20 * k), d, k, sizes=sizes, random_state=1000 * k + seed)
                yield f"separated, {sizes}: K = {k}", X, k


def published(repeats: int) -> Iterator[Case]:
    for model in range(1, 6):
        for seed in range(repeats):
            X, y = tibshirani(model, random_state=seed)
            yield f"Tibshirani et al., model {model}", X, int(y.max()) + 1


def known(max_k: int) -> Iterator[Case]:
    folder = Path(__file__).parents[1] / ".." / "shared" / "data" / "modelorder"
    if not folder.is_dir():
        print("known: skipped, ../shared/data/modelorder is not on this machine")
        return
    tables = np.load(folder / "known_k.npz")
    with open(folder / "known_k.csv") as file:
        for row in csv.DictReader(file):
            if int(row["K"]) <= max_k:
                yield f"known: {row['set']}", tables[f"{row['set']}__X"].astype(float), int(row["K"])


def estimator(name: str) -> Any:
    if name == "mixture":
        from unmix.density import GaussianMixture

        return GaussianMixture()
    from unmix.cluster import KMeans

    return KMeans()


def answers(model: Any, X: np.ndarray, max_k: int, peers: bool) -> dict[str, int]:
    started = time.perf_counter()
    selection = select(model, X, range(1, min(max_k, len(X) // 3) + 1), [Separation(), BIC()], random_state=0)
    found = {"unmix": selection.sizes[selection.best_index]}
    seconds = time.perf_counter() - started
    if peers:
        found |= peer_answers(X, selection)
    return found | {"seconds": seconds}


def peer_answers(X: np.ndarray, selection: Any) -> dict[str, int]:
    """The usual criteria on the same labels; none of them can answer 1, except BIC."""
    from sklearn.metrics import calinski_harabasz_score, davies_bouldin_score, silhouette_score

    labels = [model.labels_ if hasattr(model, "labels_") else model.predict(X) for model in selection.estimators]
    usable = [(len(np.unique(z)), z) for z in labels if 2 <= len(np.unique(z)) < len(X)]
    sample = np.random.default_rng(0).permutation(len(X))[:3000]
    scores = {
        "silhouette": lambda z: silhouette_score(X[sample], z[sample]),
        "Calinski-Harabasz": lambda z: calinski_harabasz_score(X, z),
        "Davies-Bouldin": lambda z: -davies_bouldin_score(X, z),
    }
    best = {name: max(usable, key=lambda kz: score(kz[1]))[0] for name, score in scores.items()}
    return best | {"BIC": selection.sizes[selection.evaluations["BIC"].choice]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default="null,separated,tibshirani,known")
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--max-k", type=int, default=10)
    parser.add_argument("--estimator", choices=["kmeans", "mixture"], default="kmeans")
    parser.add_argument("--peers", action="store_true")
    options = parser.parse_args()
    makers = {
        "null": lambda: null(options.repeats),
        "separated": lambda: separated(options.repeats),
        "tibshirani": lambda: published(options.repeats),
        "known": lambda: known(options.max_k),
    }
    warnings.simplefilter("ignore")
    for name in options.sets.split(","):
        report(makers[name](), options)


def report(cases: Iterator[Case], options: Any) -> None:
    """One line a kind of table: how often each method was right, what unmix said otherwise, seconds."""
    right: dict[str, list[dict[str, Any]]] = {}
    for kind, X, k in cases:
        found = answers(estimator(options.estimator), X, options.max_k, options.peers)
        right.setdefault(kind, []).append(found | {"truth": k})
        if len(right) > 1 and kind not in list(right)[:-1] and len(right[kind]) == 1:
            print_line(*list(right.items())[-2])
    if right:
        print_line(*list(right.items())[-1])
        everything = [row for rows in right.values() for row in rows]
        print_line("all of these", everything)


def print_line(kind: str, rows: list[dict[str, Any]]) -> None:
    methods = [name for name in rows[0] if name not in {"truth", "seconds"}]
    shares = "  ".join(f"{m} {sum(row[m] == row['truth'] for row in rows)}/{len(rows)}" for m in methods)
    wrong = sorted(row["unmix"] for row in rows if row["unmix"] != row["truth"])
    seconds = np.mean([row["seconds"] for row in rows])
    instead = f"  instead: {wrong}" if 0 < len(wrong) < 30 else ""
    print(f"{kind:40s} {shares}  {seconds:.2f} s{instead}", flush=True)


if __name__ == "__main__":
    main()
