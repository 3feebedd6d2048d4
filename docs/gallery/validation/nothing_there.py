"""Three clusters, or none.

K-means finds three parts in both tables. Only one of them has groups, and that can be said.

More: is_it_real.md
"""

import matplotlib.pyplot as plt

from unmix.cluster import KMeans
from unmix.datasets import blobs, gaussian
from unmix.validation import select

tables = {"groups": blobs(300, 2, 3, random_state=3)[0], "one cloud": gaussian(300, 2, random_state=0)}
figure, axes = plt.subplots(1, 2)
for axis, (name, X) in zip(axes, tables.items()):
    verdict = select(KMeans(), X, range(1, 7), random_state=0).verdict
    said = str(verdict).split(".")[0].split(":")[0]
    print(f"{name}: {said}")
    axis.scatter(*X.T, c=KMeans(3, random_state=0).fit(X).labels_, cmap="viridis", s=8)
    axis.set_title(said.replace(" beyond", "\nbeyond"))
    axis.set(xticks=[], yticks=[])
plt.show()
