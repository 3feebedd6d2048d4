"""Draws docs/assets/texture-mosaic.png: three textures told apart by histograms of fine detail.

Needs ../shared/data for brick, grass and gravel of scikit-image.
"""

from itertools import permutations
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from scipy.ndimage import gaussian_filter

from unmix.cluster import HistogramClustering, ParametricDistributionalClustering

DATA = Path(__file__).parents[2] / ".." / "shared" / "data" / "images"
SIDE, WINDOW, STEP, BINS = 256, 32, 8, 32


def windows(feature: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Histograms of all windows, and their first rows and columns."""
    low, high = np.percentile(feature, [1, 99])
    bins = np.clip(((feature - low) / (high - low) * BINS).astype(int), 0, BINS - 1)
    top, left = (np.arange(0, size - WINDOW + 1, STEP) for size in feature.shape)
    parts = [bins[y : y + WINDOW, x : x + WINDOW].ravel() for y in top for x in left]
    return np.array([np.bincount(part, minlength=BINS) for part in parts]), top, left


def figures() -> dict[str, Figure]:
    images = [plt.imread(DATA / f"skimage_{name}.png") for name in ("brick", "grass", "gravel")]
    mosaic = np.hstack([255.0 * image[:SIDE, :SIDE] for image in images])
    truth = np.broadcast_to(np.repeat([0, 1, 2], SIDE), mosaic.shape)
    counts, top, left = windows(np.log(1 + np.abs(mosaic - gaussian_filter(mosaic, 1))))
    true = truth[np.ix_(top + WINDOW // 2, left + WINDOW // 2)]
    figure, axes = plt.subplots(3, 1, figsize=(6, 6.4))
    axes[0].imshow(mosaic, cmap="gray")
    axes[0].set_title("brick, grass, gravel", fontsize=9)
    models = (
        ParametricDistributionalClustering(3, random_state=0),
        HistogramClustering(3, random_state=0),
    )
    for axis, model in zip(axes[1:], models, strict=True):
        labels = model.fit(counts).labels_.reshape(true.shape)
        best = max(permutations(range(3)), key=lambda order: (np.array(order)[labels] == true).mean())
        right = (np.array(best)[labels] == true).mean()
        axis.imshow(np.array(best)[labels], cmap="viridis", interpolation="nearest")
        axis.set_title(f"{type(model).__name__}: {right:.1%} of the windows right", fontsize=9)
    for axis in axes:
        axis.set_axis_off()
    return {"texture-mosaic": figure}
