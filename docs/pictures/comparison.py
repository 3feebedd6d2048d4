"""Draws docs/assets/comparison.png: six tables of points, and what each clustering makes of them."""

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.neighbors import kneighbors_graph

import unmix
from unmix.cluster import GraphPartition, GrowingKMeans, KMeans, PairwiseClustering, SoftKMeans
from unmix.density import GaussianMixture

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


def figures() -> dict[str, Figure]:
    made = tables()
    figure, axes = plt.subplots(len(made), len(WAYS), figsize=(1.7 * len(WAYS), 1.6 * len(made)))
    colours = np.array([*plt.get_cmap("tab10").colors])
    for row, (table, (X, k)) in zip(axes, made.items(), strict=True):
        for axis, way in zip(row, WAYS.values(), strict=True):
            axis.scatter(*X.T, s=5, c=colours[np.asarray(way(X, k)) % 10], linewidths=0)
            axis.set(xticks=[], yticks=[], xlim=(-2.6, 2.6), ylim=(-2.6, 2.6))
        row[0].set_ylabel(table)
    for axis, name in zip(axes[0], WAYS, strict=True):
        axis.set_title(name)
    return {"comparison": figure}
