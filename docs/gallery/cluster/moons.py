"""Two moons.

K-means cuts by distance, and so across both moons. A graph of nearest rows is cut where few links are.

More: methods/graphs.md
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import kneighbors_graph

from unmix.cluster import GraphPartition, KMeans

X, moons = make_moons(400, noise=0.06, random_state=0)
near = kneighbors_graph(X, 10)
labels = {
    "KMeans": KMeans(2, random_state=0).fit(X).labels_,
    "GraphPartition": GraphPartition(2, metric="precomputed", random_state=0).fit((near + near.T) / 2).labels_,
}

figure, axes = plt.subplots(1, 2, sharey=True)
for axis, (name, found) in zip(axes, labels.items()):
    agreement = f"{adjusted_rand_score(moons, found):.2f}"
    print(f"{name}: adjusted Rand index {agreement}")
    axis.scatter(*X.T, c=found, cmap="coolwarm", s=7)
    axis.set(title=f"{name}: {agreement}", xticks=[], yticks=[])
plt.show()
