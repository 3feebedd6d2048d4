"""Draws docs/assets/smooth-kmeans.png: a noisy colour picture, K-means of its pixels, and smooth K-means."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from unmix.cluster import KMeans, SmoothKMeans

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


def main() -> None:
    kind, colours = scene()
    noisy = colours[kind] + NOISE * np.random.default_rng(0).standard_normal((HEIGHT, WIDTH, 3))
    rows = noisy.reshape(-1, 3)
    models = [KMeans(4, random_state=0), SmoothKMeans(4, coupling=2.0, neighbors=(HEIGHT, WIDTH), random_state=0)]
    figure, axes = plt.subplots(1, 4, figsize=(12, 2.7))
    pictures = [colours[kind], noisy.clip(0, 1)]
    titles = ["the scene", f"with noise of {NOISE}"]
    for model in models:
        labels = model.fit(rows).labels_
        pictures.append(model.cluster_centers_[labels].reshape(HEIGHT, WIDTH, 3).clip(0, 1))
        titles.append(f"{type(model).__name__}: {100 * wrong(labels, kind):.1f} % wrong")
    for axis, picture, title in zip(axes, pictures, titles, strict=True):
        axis.imshow(picture, interpolation="nearest")
        axis.set_title(title, fontsize=10)
        axis.axis("off")
    figure.tight_layout()
    figure.savefig(Path(__file__).parents[1] / "assets" / "smooth-kmeans.png", dpi=80)


if __name__ == "__main__":
    main()
