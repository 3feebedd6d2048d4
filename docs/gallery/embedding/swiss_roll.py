"""A roll laid flat.

A sheet rolled up in space: neighbours on the sheet are kept, and the sheet comes out flat.

More: methods/lle.md
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import spearmanr

from unmix.embedding import LocallyLinearEmbedding

rng = np.random.default_rng(0)
along, across = rng.uniform(4.7, 14.1, 1200), rng.uniform(0, 21, 1200)
X = np.column_stack([along * np.cos(along), across, along * np.sin(along)])
model = LocallyLinearEmbedding(2, n_neighbors=12, method="modified").fit(X)
kept = [abs(spearmanr(model.embedding_[:, j], side)[0]) for j, side in enumerate((along, across))]
print("rank correlation with the sheet's own sides:", ", ".join(f"{value:.2f}" for value in kept))

figure = plt.figure()
left = figure.add_subplot(1, 2, 1, projection="3d")
left.scatter(*X.T, c=along, cmap="Spectral", s=4)
left.set(title="in space", xticks=[], yticks=[], zticks=[])
left.view_init(12, -75)
right = figure.add_subplot(1, 2, 2)
right.scatter(*model.embedding_.T, c=along, cmap="Spectral", s=4)
right.set(title="laid flat", xticks=[], yticks=[])
plt.show()
