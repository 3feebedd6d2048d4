"""Groups from dissimilarities alone.

No coordinates, and three in ten dissimilarities were never measured. Sorted by the groups found, blocks appear.

More: methods/pairwise_clustering.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.cluster import PairwiseClustering

rng = np.random.default_rng(0)
group = rng.integers(0, 4, 60)
places = rng.normal(size=(4, 6))[group] * 2.5 + rng.normal(size=(60, 6))
D = np.linalg.norm(places[:, None] - places, axis=2)
hole = np.triu(rng.random(D.shape) < 0.3, 1)
D[hole | hole.T] = np.nan

model = PairwiseClustering(4, metric="precomputed", missing="ignore", random_state=0).fit(D)
order = np.argsort(model.labels_, kind="stable")
pure = sum(np.bincount(group[model.labels_ == c]).max() for c in range(4)) / len(group)
print(f"{np.isnan(D).mean():.0%} unknown; {pure:.0%} of the objects are with their own kind")

figure, axes = plt.subplots(1, 2, figsize=(4.8, 2.6))
for axis, shown, title in zip(axes, (D, D[np.ix_(order, order)]), ("as given", "sorted by the groups found")):
    axis.imshow(shown, cmap="magma")
    axis.set(title=title, xticks=[], yticks=[])
plt.show()
