"""Three shelves of abstracts: sorted by their words alone.

Data: CLASSIC3 (medicine, information science, aeronautics), from a package under BSD-3; not shipped for its size.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse import csr_array
from sklearn.metrics import adjusted_rand_score

from unmix.cluster import HistogramClustering, KMeans

FILE = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data") / "dyadic" / "classic3.npz"
if not FILE.exists():
    sys.exit(f"the CLASSIC3 counts are not at {FILE}")
with np.load(FILE) as data:
    counts = csr_array((data["data"].astype(float), data["indices"], data["indptr"]), shape=tuple(data["shape"]))
    shelf = data["y"]

model = HistogramClustering(3, random_state=0).fit(counts)
by_distance = KMeans(3, random_state=0).fit(counts).labels_
print(f"{counts.shape[0]} abstracts, {counts.shape[1]} words, {counts.sum():.0f} of them counted")
for name, labels in (("as distributions", model.labels_), ("as points, by K-means", by_distance)):
    pure = sum(np.unique(shelf[labels == c], return_counts=True)[1].max() for c in np.unique(labels))
    agreement = adjusted_rand_score(shelf, labels)
    print(f"{name}: {pure / len(shelf):.1%} on the right shelf, adjusted Rand index {agreement:.2f}")

figure, axes = plt.subplots(1, 2, figsize=(8, 3))
for axis, labels, title in zip(axes, (model.labels_, by_distance), ("as distributions", "as points")):
    table = np.array([[np.sum((labels == c) & (shelf == s)) for c in range(3)] for s in np.unique(shelf)])
    table = table[:, np.argsort(table.argmax(axis=0))]
    axis.imshow(table, cmap="Blues", aspect="auto")
    for (i, j), value in np.ndenumerate(table):
        axis.text(j, i, value, ha="center", va="center", color="white" if value > 700 else "black")
    axis.set(title=title, xlabel="group", ylabel="shelf", xticks=range(3), yticks=range(3))
plt.show()
