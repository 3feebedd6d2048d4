"""Draws docs/assets/smooth-kmeans.png: a noisy colour picture, K-means of its pixels, and smooth K-means."""

from functools import cache

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from unmix.cluster import KMeans, SmoothKMeans

PAGE = "methods/smooth_kmeans.md"
HEIGHT, WIDTH, NOISE = 120, 160, 0.35


def scene() -> tuple[np.ndarray, np.ndarray]:
    """Which of four colours each pixel has, and the colours."""
    row, column = np.mgrid[:HEIGHT, :WIDTH]
    kind = np.zeros((HEIGHT, WIDTH), int)
    kind[row > 75 + 12 * np.sin(column / 25)] = 1
    kind[(row - 35) ** 2 + (column - 120) ** 2 < 22**2] = 2
    kind[(abs(column - 45) < 18) & (row > 45) & (row < 100)] = 3
    return kind, np.array([[0.45, 0.65, 0.9], [0.3, 0.6, 0.35], [0.95, 0.8, 0.3], [0.7, 0.3, 0.3]])


def wrong(labels: np.ndarray, kind: np.ndarray) -> float:
    """Share of pixels whose cluster is not mostly of their kind."""
    counts = np.zeros((4, 4))
    np.add.at(counts, (labels.ravel(), kind.ravel()), 1)
    return 1 - counts.max(axis=1).sum() / kind.size


@cache
def fitted() -> tuple[np.ndarray, list, list[str]]:
    """The noisy scene, K-means and smooth K-means of its pixels, and what share of them each has wrong."""
    kind, colours = scene()
    noisy = colours[kind] + NOISE * np.random.default_rng(0).standard_normal((HEIGHT, WIDTH, 3))
    models = [KMeans(4, random_state=0), SmoothKMeans(4, coupling=2.0, neighbors=(HEIGHT, WIDTH), random_state=0)]
    return noisy, models, [f"{100 * wrong(model.fit(noisy.reshape(-1, 3)).labels_, kind):.1f} %" for model in models]


def shown() -> dict:
    plain, smooth = fitted()[2]
    return {"on the page": [f"K-means puts {plain}", f"smooth K-means {smooth}"]}


def figures() -> dict[str, Figure]:
    kind, colours = scene()
    noisy, models, shares = fitted()
    figure, axes = plt.subplots(1, 4, figsize=(12, 2.7))
    pictures = [colours[kind], noisy.clip(0, 1)]
    titles = ["the scene", f"with noise of {NOISE}"]
    for model, share in zip(models, shares):
        pictures.append(model.cluster_centers_[model.labels_].reshape(HEIGHT, WIDTH, 3).clip(0, 1))
        titles.append(f"{type(model).__name__}: {share} wrong")
    for axis, picture, title in zip(axes, pictures, titles, strict=True):
        axis.imshow(picture, interpolation="nearest")
        axis.set_title(title, fontsize=10)
        axis.axis("off")
    return {"smooth-kmeans": figure}
