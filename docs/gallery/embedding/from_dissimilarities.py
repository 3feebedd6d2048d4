"""A map from judgements alone.

Dissimilarities with errors break the triangle inequality. Shifted by one constant they become distances, groups kept.

More: methods/constant_shift_embedding.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.embedding import ConstantShiftEmbedding

rng = np.random.default_rng(0)
group = np.repeat([0, 1, 2], 40)
place = np.array([[0.0, 0.0], [6.0, 0.0], [3.0, 5.0]])[group] + rng.normal(size=(120, 2))
D = ((place[:, None] - place) ** 2).sum(axis=2)
error = np.triu(rng.normal(scale=8, size=D.shape), 1)
D = np.maximum(D + error + error.T, 0)
np.fill_diagonal(D, 0)

model = ConstantShiftEmbedding(2, metric="precomputed").fit(D)
broken = (np.sqrt(D)[:, :, None] + np.sqrt(D)[:, None, :] < np.sqrt(D)[None, :, :]).mean()
print(f"{broken:.0%} of the triangles are impossible; shift {model.shift_:.0f}")

plt.scatter(*model.embedding_.T, c=group, cmap="viridis", s=18)
plt.gca().set(xticks=[], yticks=[], title="laid out from dissimilarities, coloured by the truth")
plt.show()
