"""Likes and dislikes.

Pairs that attract and pairs that repel, one in ten wrong. The number of groups is not given: it follows.

More: methods/graphs.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.cluster import CorrelationClustering

rng = np.random.default_rng(0)
group = np.repeat([0, 1, 2, 3, 4], [30, 25, 20, 15, 10])
sign = np.where(group[:, None] == group, 1.0, -1.0)
wrong = np.triu(rng.random(sign.shape) < 0.1, 1)
sign[wrong | wrong.T] *= -1
np.fill_diagonal(sign, 0)
mixed = rng.permutation(100)
model = CorrelationClustering(metric="precomputed", random_state=0).fit(sign[np.ix_(mixed, mixed)])
sizes = np.sort(np.bincount(model.labels_))[::-1]
print(f"{model.n_clusters_} groups of sizes {sizes.tolist()}")

order = mixed[np.lexsort((model.labels_, -np.bincount(model.labels_)[model.labels_]))]
figure, axes = plt.subplots(1, 2, figsize=(4.8, 2.6))
for axis, rows, title in zip(axes, (mixed, order), ("as given", f"sorted: {model.n_clusters_} groups")):
    axis.imshow(sign[np.ix_(rows, rows)], cmap="coolwarm_r")
    axis.set(title=title, xticks=[], yticks=[])
plt.show()
