"""Draws docs/assets/comparison.png: six tables of points, and what each clustering makes of them (needs matplotlib)."""

import time
from collections.abc import Callable
from pathlib import Path

import matplotlib
import numpy as np
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.neighbors import kneighbors_graph

import unmix
from unmix.cluster import GraphPartition, GrowingKMeans, KMeans, PairwiseClustering, SoftKMeans
from unmix.density import GaussianMixture

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = Path(__file__).parents[2]
N = 500


def tables() -> dict[str, tuple[np.ndarray, int]]:
    """Points of unit variance, and how many groups they were made with."""
    stretched = make_blobs(N, random_state=170)[0] @ np.array([[0.6, -0.6], [-0.4, 0.8]])
    made = {
        "two rings": (make_circles(N, factor=0.5, noise=0.05, random_state=30)[0], 2),
        "two moons": (make_moons(N, noise=0.05, random_state=30)[0], 2),
        "unequal spreads": (make_blobs(N, cluster_std=[1.0, 2.5, 0.5], random_state=170)[0], 3),
        "long groups": (stretched, 3),
        "round groups": (make_blobs(N, random_state=8)[0], 3),
        "no groups": (np.random.RandomState(30).rand(N, 2), 3),
    }
    return {name: ((X - X.mean(axis=0)) / X.std(axis=0), k) for name, (X, k) in made.items()}


def by_neighbours(X: np.ndarray, k: int) -> np.ndarray:
    near = kneighbors_graph(X, 10)
    return GraphPartition(k, metric="precomputed", random_state=0).fit((near + near.T) / 2).labels_


def explored(X: np.ndarray, k: int) -> np.ndarray:
    """The only one that is not told how many groups there are."""
    return unmix.explore({"x": X[:, 0], "y": X[:, 1]}).labels


WAYS: dict[str, Callable[[np.ndarray, int], np.ndarray]] = {
    "KMeans": lambda X, k: KMeans(k, random_state=0).fit(X).labels_,
    "SoftKMeans": lambda X, k: SoftKMeans(k, random_state=0).fit(X).labels_,
    "GrowingKMeans\n(15 % of the variance)": lambda X, k: GrowingKMeans(0.15, random_state=0).fit(X).labels_,
    "PairwiseClustering": lambda X, k: PairwiseClustering(k, random_state=0).fit(X).labels_,
    "GaussianMixture": lambda X, k: GaussianMixture(k, random_state=0).fit(X).predict(X),
    "GraphPartition\n(10 nearest rows)": by_neighbours,
    "explore\n(chooses the number)": explored,
}


def answers() -> dict[str, dict[str, tuple[np.ndarray, float]]]:
    """Labels and seconds of the second run, the first being that in which kernels compile."""
    found: dict[str, dict[str, tuple[np.ndarray, float]]] = {}
    for table, (X, k) in tables().items():
        found[table] = {}
        for name, way in WAYS.items():
            way(X, k)
            start = time.perf_counter()
            labels = way(X, k)
            found[table][name] = np.asarray(labels), time.perf_counter() - start
    return found


def main() -> None:
    found, made = answers(), tables()
    figure, axes = plt.subplots(len(made), len(WAYS), figsize=(2.1 * len(WAYS), 2.0 * len(made)), layout="constrained")
    colours = np.array([*plt.get_cmap("tab10").colors])
    for row, (table, ways) in zip(axes, found.items(), strict=True):
        X = made[table][0]
        for axis, (name, (labels, seconds)) in zip(row, ways.items(), strict=True):
            axis.scatter(*X.T, s=5, c=colours[labels % 10], linewidths=0)
            axis.set(xticks=[], yticks=[], xlim=(-2.6, 2.6), ylim=(-2.6, 2.6))
            said = f"{seconds:.1f} s" if seconds >= 0.1 else f"{1000 * seconds:.0f} ms"
            axis.text(0.97, 0.03, said, transform=axis.transAxes, ha="right", va="bottom", size=9)
            if axis.get_subplotspec().is_first_row():
                axis.set_title(name, size=10)
            if axis.get_subplotspec().is_first_col():
                axis.set_ylabel(table, size=10)
    figure.savefig(ROOT / "docs" / "assets" / "comparison.png", dpi=80)
    plt.close(figure)


if __name__ == "__main__":
    main()
