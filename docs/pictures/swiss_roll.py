"""Draws docs/assets/swiss-roll.png: a rolled-up rectangle, and what PCA and locally linear embedding make of it."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from scipy.stats import spearmanr

from unmix.decomposition import PCA
from unmix.embedding import LocallyLinearEmbedding, distortion

MODELS = {
    "PCA": PCA(2),
    "one set of weights": LocallyLinearEmbedding(2, n_neighbors=12),
    'method="modified"': LocallyLinearEmbedding(2, n_neighbors=12, method="modified"),
}


def figures() -> dict[str, Figure]:
    rng = np.random.default_rng(0)
    along, across = 1.5 * np.pi * (1 + 2 * rng.uniform(size=2000)), 21 * rng.uniform(size=2000)
    X = np.column_stack([along * np.cos(along), across, along * np.sin(along)])
    figure = plt.figure(figsize=(12, 3.4))
    axis = figure.add_subplot(1, 4, 1, projection="3d")
    axis.scatter(*X.T, c=along, s=3, cmap="turbo")
    axis.view_init(8, -72)
    axis.set(title="the data", xticks=[], yticks=[], zticks=[])
    for place, (name, model) in enumerate(MODELS.items(), start=2):
        U = model.fit_transform(X)
        ranks = [max(abs(spearmanr(U[:, j], truth)[0]) for j in range(2)) for truth in (along, across)]
        print(f"{name}: along {ranks[0]:.3f}, across {ranks[1]:.3f}, distortion {distortion(X, U).mean():.2f}")
        axis = figure.add_subplot(1, 4, place)
        axis.scatter(*U.T, c=along, s=3, cmap="turbo")
        axis.set(title=name, xticks=[], yticks=[])
    return {"swiss-roll": figure}
